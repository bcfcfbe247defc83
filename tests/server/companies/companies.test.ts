import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companyList } from '#domain/api/companies';
import { parse } from '#domain/api/schema';
import { companyRoutes } from '../../../server/companies/routes';
import { serve } from '../http/testHttp';

describe('getCompany', () => {
  let server: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    server = await serve(companyRoutes);
  });
  afterAll(() => server.app.close());

  const search = async (name?: string) => {
    const query = name === undefined ? '' : `?name=${encodeURIComponent(name)}`;
    const answer = await fetch(`${server.url}/api/company/getCompany${query}`);
    const { code, data } = (await answer.json()) as { code: number; data: unknown };
    expect(code).toBe(1);
    return parse(companyList.answer, data) ?? [];
  };
  const names = async (name?: string) => (await search(name)).map((company) => company.name);

  it('has all fields of protocol.md#company', async () => {
    expect(await search('tsubaki')).toEqual([
      {
        id: 5,
        name: 'Tsubaki Trading',
        subject: 'Tsubaki Trading K.K.',
        logo: '',
        url: 'https://tsubaki.example',
        registeredAddress: '3-2-1 Example, Chuo-ku, Tokyo 103-0000, Japan',
        location: 'Tokyo, Japan',
        email: 'service@tsubaki.example',
      },
    ]);
  });

  it('finds a part of the name or the entity, ignoring case', async () => {
    expect(await names('  NORTHGATE')).toEqual(['Northgate Prime']);
    expect(await names('courtage')).toEqual(['Mistral FX']);
    expect(await names('meridian')).toEqual(['Meridian Atlantic']);
    expect(await names('海港')).toEqual(['海港環球']);
    expect(await names('%')).toEqual([]);
  });

  it('lists all without a search', async () => {
    expect(await names()).toHaveLength(10);
    expect(await names('')).toHaveLength(10);
  });
});
