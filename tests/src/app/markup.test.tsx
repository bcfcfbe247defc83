import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { HashRouter } from 'react-router-dom';
import { beforeEach, describe, expect, test } from 'vitest';
import type { User } from '#domain/account/user';
import { verificationCenter } from '#domain/api/account';
import { companyList } from '#domain/api/companies';
import { traderList } from '#domain/api/ranking';
import { parse } from '#domain/api/schema';
import { success } from '#domain/core/result';
import { AnnouncementScreen } from '../../../src/features/account/AnnouncementScreen';
import { EmailScreen } from '../../../src/features/account/EmailScreen';
import { UserScreen } from '../../../src/features/account/UserScreen';
import { VerificationScreen } from '../../../src/features/account/verification/VerificationScreen';
import { FeedbackScreen } from '../../../src/features/feedback/FeedbackScreen';
import { RankRow } from '../../../src/features/ranking/RankRow';
import { CompanySearch } from '../../../src/features/search/CompanySearch';
import { showLanguage } from '../../../src/i18n/i18n';
import { user } from '../../../src/worker/trading';
import { MARKUP } from '../../helpers/markup';
import { sampled } from '../../helpers/samples';
import { findSheet, onPhone, renderSettled } from '../rendering';
import { scriptWorkerApi } from '../scriptedWorkerApi';

beforeEach(async () => {
  onPhone();
  await showLanguage('en');
  user.value = null;
});

const show = (node: ReactNode) => renderSettled(<HashRouter>{node}</HashRouter>);

/** Nothing on the page runs, embeds, or leads to anything but https, mail and other screens. */
function expectHarmless(): void {
  const { body } = document;
  expect(
    body.querySelectorAll('script, iframe, object, embed, base, meta, form, math, details, style'),
  ).toHaveLength(0);
  // An expectation for each attribute would take seconds.
  const harmful = [...document.querySelectorAll('*')].flatMap(({ tagName, attributes }) =>
    [...attributes].flatMap(({ name, value }) =>
      isHarmful(name, value) ? [[tagName, name, value]] : [],
    ),
  );
  expect(harmful).toEqual([]);
}

function isHarmful(name: string, value: string): boolean {
  if (/^(on|srcdoc|formaction)/.test(name)) return true;
  return ['href', 'src', 'action'].includes(name) && !/^(https:\/\/|mailto:|#|\/)/.test(value);
}

const texts = MARKUP.filter((text) => text.trim());
/** Texts for screens that show one at a time: in `npm test` each on one of the three. */
const textsOf = (screen: number) =>
  texts.slice(-12).filter((_, index) => sampled(index + screen, 3));

describe('text of the server is shown as text', () => {
  test('in names and details of companies', async () => {
    const { answers } = scriptWorkerApi();
    const sent = texts.map((text, index) => {
      const row = { id: index + 1, name: text, subject: text, registered_address: text };
      return { ...row, logo: text, location: text, email: text, url: text };
    });
    const companies = parse(companyList.answer, sent);
    expect(companies).toHaveLength(texts.length);
    answers['companies.companyList'] = async () => success(companies);
    await show(<CompanySearch />);
    const rows = await waitFor(() => {
      const found = screen.getAllByRole('listitem');
      expect(found).toHaveLength(texts.length);
      return found;
    });
    for (const [index, row] of rows.entries()) expect(row.textContent).toContain(texts[index]);
    expectHarmless();

    const index = texts.indexOf('"><script>alert(1)</script>');
    await userEvent.click(rows[index]?.querySelector('button') as Element);
    const sheet = await findSheet();
    expect(sheet.textContent?.split(texts[index] as string).length).toBeGreaterThan(4);
    expectHarmless();
  });

  test('in names of traders', async () => {
    scriptWorkerApi();
    const data = texts.map((text, index) => {
      return { id: index + 1, code: text, user: { name: text, avatar: text } };
    });
    const traders = parse(traderList.answer, { data })?.rows ?? [];
    expect(traders).toHaveLength(texts.length);
    const { container } = await show(
      traders.map((trader) => (
        <RankRow key={trader.id} trader={trader} rank={trader.id} onTap={() => {}} />
      )),
    );
    const rows = [...container.querySelectorAll('button')];
    for (const [index, row] of rows.entries()) expect(row.textContent).toContain(texts[index]);
    expect(rows).toHaveLength(texts.length);
    expectHarmless();
  });

  test.each(textsOf(0))('in the name of a user: %j', async (text) => {
    scriptWorkerApi();
    const base = { id: 1, mobile: '', demo: false, inviteCode: text };
    user.value = { ...base, uid: text, email: text };
    const { container } = await show(<UserScreen />);
    expect(container.textContent?.split(text).length).toBeGreaterThan(2);
    expectHarmless();
  });

  test.each(textsOf(1))('in the name and pictures of a verification: %j', async (text) => {
    const { answers } = scriptWorkerApi();
    const row = { review_status: 1, name: text, card_id: text, reason: text };
    const sent = { ...row, front_pic: text, reverse_pic: text };
    const read = parse(verificationCenter.answer, sent);
    expect(read).toBeDefined();
    answers['account.verificationCenter'] = async () => success(read);
    user.value = { id: 1, uid: '1', email: '', mobile: '', demo: false } as User;
    const { container } = await show(<VerificationScreen />);
    await waitFor(() => expect(container.textContent).toContain(text));
    expectHarmless();
  });

  test.each(textsOf(2))('in the address for feedback and complaints: %j', async (text) => {
    const { scripted } = scriptWorkerApi();
    scripted.complaintEmail = async () => success(text);
    const { container } = await show(<EmailScreen />);
    await waitFor(() => expect(container.textContent).toContain(text));
    expectHarmless();
  });

  test('announcement and feedback show nothing of a server', async () => {
    const { calls } = scriptWorkerApi();
    await show(
      <>
        <AnnouncementScreen />
        <FeedbackScreen />
      </>,
    );
    expect(calls).toEqual([]);
    expectHarmless();
  });
});
