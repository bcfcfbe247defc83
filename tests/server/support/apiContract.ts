import { subscribe } from 'node:diagnostics_channel';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import type { Call } from '#domain/api/call';
import type { JsonSchema } from '#domain/api/schema';
import { asyncApiDocument } from '../../../server/api/asyncapi';
import { openApiDocument } from '../../../server/api/openapi';
import { serverMessages } from '../../../server/api/socket';

const violations: string[] = [];

/**
 * Fails where an answer of a server in this process, or a message that a websocket of a test
 * received, differed from the API's documents since the last call.
 */
export function expectNoViolations(): void {
  expect(violations.splice(0), 'answers that differ from the documents').toEqual([]);
}

const created: FastifyInstance[] = [];

/** The calls of the server that was created last. */
export function declaredCalls(): readonly Call[] {
  // The admin tool is a server too, without calls.
  return created.findLast((server) => server.declaredCalls?.length > 0)?.declaredCalls ?? [];
}

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  created.push(fastify);
  fastify.addHook('onSend', async (request, reply, payload) => {
    const { declared } = request.routeOptions.config;
    if (!declared || typeof payload !== 'string') return;
    report(
      `${request.method} ${declared.path}`,
      answerProblems(declared, reply.statusCode, JSON.parse(payload)),
    );
  });
});

// A client's `message` event carries what the server sent; those of the server's own sockets carry what clients sent.
// Connections to exchanges go to other paths.
const emit = WebSocket.prototype.emit;
WebSocket.prototype.emit = function (this: WebSocket, event: string | symbol, ...args: unknown[]) {
  const isClient = !(this as { _isServer?: boolean })._isServer && this.url?.endsWith('/v1/ws');
  if (event === 'message' && isClient) {
    report('websocket', messageProblems(JSON.parse(String(args[0]))));
  }
  return emit.call(this, event, ...args);
} as typeof emit;

function report(where: string, problems: string): void {
  if (problems && violations.length < 10) violations.push(`${where}: ${problems}`);
}

const answers = new WeakMap<object, ValidateFunction>();
let failure: ValidateFunction | undefined;

/** What of an answer differs from the OpenAPI document; empty: nothing. */
export function answerProblems(call: Call, status: number, body: unknown): string {
  if (status !== 200) {
    failure ??= compile(openApiDocument([call]), '/components/schemas/TransportError');
    return problemsOf(failure, body);
  }
  let success = answers.get(call.answer);
  if (!success) {
    const path = call.path.replaceAll('/', '~1');
    const responses = `/paths/${path}/${call.method.toLowerCase()}/responses`;
    const schema = `${responses}/200/content/application~1json/schema`;
    success = compile(openApiDocument([call]), schema);
    answers.set(call.answer, success);
  }
  return problemsOf(success, body);
}

let messages: Map<string, ValidateFunction> | undefined;

/** What of a message differs from the AsyncAPI document; empty: nothing. */
export function messageProblems(message: unknown): string {
  messages ??= compileMessages();
  const all = [...messages.values()];
  if (all.some((validate) => validate(message))) return '';
  const type = String((message as { type?: unknown }).type);
  const name = Object.entries(serverMessages).find(([, { entries }]) =>
    v.is(entries.type, type),
  )?.[0];
  const validate = name === undefined ? undefined : messages.get(name);
  return validate ? problemsOf(validate, message) : `no message is ${JSON.stringify(type)}`;
}

function compileMessages(): Map<string, ValidateFunction> {
  const document = asyncApiDocument();
  return new Map(
    Object.keys(serverMessages).map((name) => [
      name,
      compile(document, `/components/messages/${name}/payload`),
    ]),
  );
}

// Not strict: the document's own keywords, as `info`, are none of a schema. That the documents are
// valid is a test of their own; compiling the meta-schema for it takes longer than most tests.
const ajv = new Ajv2020({ strict: false, meta: false, validateSchema: false });
(addFormats as unknown as typeof addFormats.default)(ajv);
let compiled = 0;

function compile(document: JsonSchema, pointer: string): ValidateFunction {
  const name = `document-${++compiled}`;
  ajv.addSchema(document, name);
  return ajv.compile({ $ref: `${name}#${pointer}` });
}

function problemsOf(validate: ValidateFunction, value: unknown): string {
  if (validate(value)) return '';
  const problems = (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  return `${problems.join('; ')} in ${JSON.stringify(value).slice(0, 500)}`;
}
