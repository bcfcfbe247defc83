import specifications from '@asyncapi/specs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '#domain/api/call';
import type { JsonSchema } from '#domain/api/schema';
import { serverMessages } from '../../../server/api/socket';
import type { Database } from '../../../server/db/database';
import { declaredEndpoints } from '../../helpers/endpoints';
import { inTurn } from '../../helpers/samples';
import { answerProblems, declaredCalls, messageProblems } from '../support/apiContract';
import { emptyDatabase } from '../support/database';
import { TestServer } from '../support/testServer';
import { callsPage } from './callsPage';
import { fieldMeanings } from './fieldMeanings';
import { sampleOf, withoutEachField } from './samples';

interface Answer {
  content: Record<string, { schema: { oneOf: [{ properties: { data: JsonSchema } }] } }>;
}

type Operation = JsonSchema & { operationId: string; responses: { 200: Answer } };

interface OpenApi extends JsonSchema {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

let database: Database;
let server: TestServer;
let openApi: OpenApi;
let asyncApi: JsonSchema & {
  components: {
    schemas: Record<string, JsonSchema>;
    messages: Record<string, { payload: JsonSchema }>;
  };
};
let calls: readonly Call[];

beforeAll(async () => {
  database = await emptyDatabase();
  server = await TestServer.open(database.db);
  openApi = await (await fetch(`${server.url}/api/openapi.json`)).json();
  asyncApi = await (await fetch(`${server.url}/api/asyncapi.json`)).json();
  calls = declaredCalls();
});
afterAll(async () => {
  await server.close();
  await database.close();
});

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(openApi['openapi']).toBe('3.1.0');
    const validator = new Validator();
    expect(await validator.validate(structuredClone(openApi))).toEqual({ valid: true });
  });

  it('has every endpoint that the server has, and no other', () => {
    const described = Object.entries(openApi.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`,
      ),
    );
    const served = declaredEndpoints
      .filter(({ endpoint }) => endpoint.usedBy !== 'nobody')
      .map(({ name, endpoint: { method, path } }) => `${name} ${method} ${path}`);
    expect(described.sort()).toEqual(served.sort());
  });

  it('describes parameters as they are sent', () => {
    const submit = openApi.paths['/v1/api/forex/submit']?.['get'];
    expect(submit).toMatchObject({ security: [{ token: [] }], tags: ['trading'] });
    expect(submit?.['parameters']).toEqual(
      expect.arrayContaining([
        {
          name: 'forex_id',
          in: 'query',
          required: true,
          schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
        },
        {
          name: 'deviation',
          in: 'query',
          required: false,
          schema: { type: 'string', pattern: expect.any(String) },
        },
        { $ref: '#/components/parameters/lang' },
        { $ref: '#/components/parameters/idempotencyKey' },
      ]),
    );
    const login = openApi.paths['/api/user/loginForU']?.['post'];
    expect(login).toMatchObject({
      security: [],
      requestBody: {
        content: {
          'application/x-www-form-urlencoded': {
            schema: { properties: { login_type: { enum: ['email', 'mobile'] } } },
          },
        },
      },
    });
    const upload = openApi.paths['/api/common/image_upload']?.['post'];
    expect(upload?.['requestBody']).toMatchObject({
      content: { 'multipart/form-data': { schema: { properties: { file: { type: 'string' } } } } },
    });
  });

  it('is the source of docs/calls.md', async () => {
    const { Refusal: _, TransportError: __, ...objects } = openApi.components.schemas;
    const page = callsPage(
      calls,
      ({ path, method }) => openApi.paths[path]?.[method.toLowerCase()] ?? {},
      objects,
      fieldMeanings(),
    );
    await expect(page).toMatchFileSnapshot('../../../docs/calls.md');
  });

  it('is served without a login', async () => {
    for (const name of ['openapi', 'asyncapi']) {
      const answer = await fetch(`${server.url}/api/${name}.json`);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-type')).toContain('application/json');
      // The server would wait for a client that does not take all of it.
      await answer.text();
    }
  });
});

describe('the AsyncAPI document', () => {
  inTurn(it)('is valid AsyncAPI 3.0', () => {
    // The file contains draft-07.
    const ajv = new Ajv({ strict: false, logger: false, meta: false, validateSchema: false });
    (addFormats as unknown as typeof addFormats.default)(ajv);
    const validate = ajv.compile(specifications.schemas['3.0.0']);
    validate(asyncApi);
    expect(validate.errors).toBeNull();
  });

  it('has every message', () => {
    expect(Object.keys(asyncApi.components.messages)).toEqual([
      'ping',
      'subscribe',
      'unsubscribe',
      'login',
      'logout',
      ...Object.keys(serverMessages),
    ]);
  });
});

describe('an answer', () => {
  const envelope = (data: unknown) => ({ code: 1, msg: '', data });

  function dataSchema({ path, method }: Call): JsonSchema {
    const operation = openApi.paths[path]?.[method.toLowerCase()];
    const { schema } = operation?.responses[200].content['application/json'] ?? {};
    return schema?.oneOf[0].properties.data ?? {};
  }

  inTurn(it)('fits the schema of its call, and not without any of its fields', () => {
    expect(calls.length).toBeGreaterThan(45);
    let fields = 0;
    for (const call of calls) {
      const sample = sampleOf(dataSchema(call), openApi);
      const problems = (data: unknown) => answerProblems(call, 200, envelope(data));
      expect(problems(sample), call.path).toBe('');
      for (const [path, without] of withoutEachField(sample)) {
        fields++;
        expect(problems(without), `${call.path} without ${path}`).not.toBe('');
      }
      expect(answerProblems(call, 200, { code: 1, data: sample })).not.toBe('');
    }
    expect(fields).toBeGreaterThan(250);
  });

  it('has no field beyond its schema', () => {
    const call = calls.find(({ path }) => path === '/api/user/info');
    if (!call) throw new Error('the call is registered');
    const user = {
      id: 1,
      uid: 'u',
      email: '',
      mobile: '',
      is_demo: 0,
      invite_code: '',
      otp: 0,
    };
    const { email: renamed, ...rest } = user;
    expect(answerProblems(call, 200, envelope(user))).toBe('');
    expect(answerProblems(call, 200, envelope({ ...rest, mail: renamed }))).not.toBe('');
    expect(answerProblems(call, 200, envelope({ ...user, more: 1 }))).not.toBe('');
    expect(answerProblems(call, 200, envelope({ ...user, id: '1' }))).not.toBe('');
    expect(answerProblems(call, 200, { code: 999, msg: 'No.', data: null })).toBe('');
    expect(answerProblems(call, 200, { code: 999, msg: 'No.', data: user })).not.toBe('');
    expect(answerProblems(call, 429, { code: 429, msg: 'Later.', data: null })).toBe('');
    expect(answerProblems(call, 429, { code: 429, msg: 'Later.' })).not.toBe('');
  });
});

describe('a message', () => {
  it('fits its schema, and not without any of its fields', () => {
    const { messages } = asyncApi.components;
    for (const name of Object.keys(serverMessages)) {
      const sample = sampleOf(messages[name]?.payload ?? {}, asyncApi);
      expect(messageProblems(sample), name).toBe('');
      for (const [path, without] of withoutEachField(sample)) {
        expect(messageProblems(without), `${name} without ${path}`).not.toBe('');
      }
    }
  });

  it('is invalid with an unknown type', () => {
    expect(messageProblems({ type: 'FOREX_ALERT', data: {} })).not.toBe('');
  });
});
