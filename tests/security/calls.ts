import type { Call } from '#domain/api/call';
import type { EndpointFields } from '#domain/api/endpoint';
import { addPush } from '#domain/api/push';
import type { JsonSchema } from '#domain/api/schema';
import { addPasskey, passkeyLogin } from '#domain/api/security';
import { saveSettings } from '#domain/api/settings';
import { Components } from '../../server/api/jsonSchema';
import { declaredEndpoints } from '../helpers/endpoints';
import { sampled } from '../helpers/samples';
import { type Answer, send } from '../server/http/testHttp';
import { declaredCalls } from '../server/support/apiContract';
import { emptyDatabase } from '../server/support/database';
import { TestServer } from '../server/support/testServer';

/** Every call that the server has, from the table of endpoints (domain/api): new ones are tested by themselves. */
const all = declaredEndpoints
  .filter(({ endpoint }) => endpoint.usedBy !== 'nobody')
  .map(({ name, endpoint }) => [name, endpoint] as const);

export const count = all.length;

/** Those that take their turn: `npm test` attacks one of three. */
export const endpoints = all.filter((_, index) => sampled(index, 3));

/** The methods of a path: one may have several calls. */
export function methodsOf(path: string): string[] {
  return all.filter(([, endpoint]) => endpoint.path === path).map(([, { method }]) => method);
}

export const changing = endpoints.filter(([, { effect }]) => effect !== 'reads');
export const personal = endpoints.filter(([, { access }]) => access !== 'public');

/** A server with a database of its own. */
export async function startServer(args: string[] = []): Promise<TestServer> {
  const { db, close } = await emptyDatabase();
  return TestServer.open(db, { args, closeDatabase: close });
}

/** The registered call of an endpoint, with its schemas. */
export function declaredOf({ method, path }: EndpointFields): Call {
  const found = declaredCalls().find((call) => call.method === method && call.path === path);
  if (!found) throw new Error(`the server has no ${method} ${path}`);
  return found;
}

/** The fields of a call, as the API's documents describe them. */
export function fieldsOf(endpoint: EndpointFields): [name: string, schema: JsonSchema][] {
  const { params } = declaredOf(endpoint);
  return Object.entries(params.entries).map(([name, schema]): [string, JsonSchema] => [
    name,
    new Components().schemaOf(schema, 'input'),
  ]);
}

/** Parameters that the schema of a call accepts, each present; without a deadline. */
export function validParams(endpoint: EndpointFields): Record<string, string> {
  return Object.fromEntries(
    fieldsOf(endpoint).map(
      ([name, schema]) => [name, name === 'valid_until' ? '' : validValue(schema)] as const,
    ),
  );
}

function credential(response: object) {
  const named = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };
  return { response: { ...named, response: { clientDataJSON: 'AAAA', ...response } } };
}

/** Fields that only a JSON body can carry, by the method and path of their call. */
const STRUCTURED: Readonly<Record<string, object>> = {
  [`POST ${saveSettings.path}`]: {
    ...{ set: { 'watch/1': { at: 1 } }, del: ['watch/2'] },
    id: { device: '6f1e0f9e-3b1f-4f39-9f0a-6f0f3f1e2d3c', number: 1 },
  },
  [`POST ${addPush.path}`]: {
    keys: {
      p256dh:
        'BDq8u7R8kYGoxpH3Pzs3hnaJn5yY4XXAgxww79oFW_H1V1itO8PKcw8AUcvK5TkQbaSKsXay6ufwMzKcK40VKFM',
      auth: 'AAAAAAAAAAAAAAAAAAAAAA',
    },
    kinds: ['alerts'],
  },
  [`POST ${addPasskey.path}`]: credential({ attestationObject: 'AAAA' }),
  [`POST ${passkeyLogin.path}`]: credential({ authenticatorData: 'AAAA', signature: 'AAAA' }),
};

/** As `validParams`, with the fields that only a JSON body can carry. */
export function validBody(endpoint: EndpointFields): Record<string, unknown> {
  return { ...validParams(endpoint), ...STRUCTURED[`${endpoint.method} ${endpoint.path}`] };
}

function validValue(schema: JsonSchema): string {
  const { anyOf, enum: values, const: constant, format, pattern, minimum } = schema;
  if (Array.isArray(anyOf)) return validValue(anyOf.at(-1));
  if (Array.isArray(values)) return String(values[0]);
  if (constant !== undefined) return String(constant);
  if (format === 'uri') return 'https://push.example.com/a';
  if (format === 'uuid' || String(pattern).includes('{8}-')) {
    return '6f1e0f9e-3b1f-4f39-9f0a-6f0f3f1e2d3c';
  }
  return String(Math.max(1, Number(minimum ?? 1)));
}

export interface Sent extends Answer {
  code: number;
  msg: string;
  data: unknown;
}

/** Makes a call as a client would, or with a body or query as it is given. */
export async function ask(
  server: TestServer,
  { method, path, ...endpoint }: EndpointFields,
  params: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<Sent> {
  const form = typeof params === 'string' ? params : String(new URLSearchParams(params));
  const isFile = 'body' in endpoint && endpoint.body === 'file';
  const structured = typeof params === 'string' ? undefined : STRUCTURED[`${method} ${path}`];
  if (structured) {
    const type = { 'content-type': 'application/json' };
    const body = JSON.stringify({ ...Object(params), ...structured });
    const sent = await send(server.url + path, {
      method,
      headers: { lang: 'en', ...type, ...headers },
      body,
    });
    return { ...sent, ...JSON.parse(sent.text) };
  }
  const answer = await (method === 'POST'
    ? send(server.url + path, {
        method,
        headers: { lang: 'en', 'content-type': isFile ? MULTIPART : FORM, ...headers },
        body: isFile ? '--x--\r\n' : form,
      })
    : send(`${server.url}${path}?${form}`, { method, headers: { lang: 'en', ...headers } }));
  return { ...answer, ...JSON.parse(answer.text) };
}

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=x';

/** Codes of refusals because of the caller or the form of the call. */
export const REFUSED_FOREIGN = 403;
export const SIGNED_OUT = 999;
export const MALFORMED = 400;
