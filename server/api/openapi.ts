import type { Call } from '#domain/api/call';
import type { EndpointFields } from '#domain/api/endpoint';
import { CODE_OK, CODE_SECOND_FACTOR } from '#domain/api/envelope';
import type { JsonSchema } from '#domain/api/schema';
import { LANGUAGES } from '#domain/core/language';
import { nameOf } from './endpoints';
import { Components } from './jsonSchema';

const JSON_TYPE = 'application/json';
const BODY_TYPES = {
  // The server takes either form of both (protocol.md#requests).
  form: ['application/x-www-form-urlencoded', JSON_TYPE],
  json: [JSON_TYPE, 'application/x-www-form-urlencoded'],
  file: ['multipart/form-data'],
} as const;

const ACCESS = {
  public: 'Needs no token.',
  user: 'Needs a token.',
  real: 'Needs the token of a real user: demo users are refused.',
};

const EFFECT = {
  reads: 'Changes nothing.',
  changes: 'Changes something: refused for fetches that are not the page’s own.',
  once: 'Changes something, once for each Idempotency-Key: refused for fetches that are not the page’s own.',
};

/** The calls of the protocol as OpenAPI 3.1. */
export function openApiDocument(calls: readonly Call[]): JsonSchema {
  const components = new Components();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const call of calls) {
    const { method, path } = call;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(call, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fulcrum',
      version: '1',
      description:
        'Schemas of all calls. docs/protocol.md says what they mean. Every answer is an envelope; refusals have HTTP 200.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { ...components.schemas, Refusal: REFUSAL, TransportError: TRANSPORT_ERROR },
      parameters: PARAMETERS,
      responses: { TransportError: transportErrorResponse() },
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'authorization',
          description: 'The bare token, without a scheme.',
        },
      },
    },
  };
}

function operation(call: Call, components: Components): JsonSchema {
  const { method, access, effect } = call;
  const name = nameOf(call);
  const params = components.schemaOf(call.params, 'input');
  const query = method === 'POST' ? [] : queryParameters(params);
  return {
    ...(name && { operationId: name.name, tags: [name.subject] }),
    description: `${ACCESS[access]} ${EFFECT[effect]}`,
    security: access === 'public' ? [] : [{ token: [] }],
    parameters: [...query, ...commonParameters(call)],
    ...(method === 'POST' && { requestBody: requestBody(params, BODY_TYPES[call.body]) }),
    responses: {
      200: {
        description: 'The envelope of a success or of a refusal.',
        content: { [JSON_TYPE]: { schema: answerSchema(components.schemaOf(call.answer)) } },
      },
      default: { $ref: '#/components/responses/TransportError' },
    },
  };
}

function queryParameters(params: JsonSchema): JsonSchema[] {
  const { properties = {}, required = [] } = params as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: withoutEmpty(schema),
  }));
}

function requestBody(params: JsonSchema, types: readonly string[]): JsonSchema {
  const { properties = {}, required } = params as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, withoutEmpty(property)]),
    ),
    ...(required?.length && { required }),
  };
  return {
    required: Object.keys(properties).length > 0,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  };
}

/** An empty optional parameter counts as missing (protocol.md#parameters): the document has what is worth sending. */
function withoutEmpty(schema: JsonSchema): JsonSchema {
  const [empty, given] = (schema['anyOf'] as JsonSchema[] | undefined) ?? [];
  return empty?.['const'] === '' && given ? given : schema;
}

function commonParameters({ method, effect }: EndpointFields): JsonSchema[] {
  const names = ['lang'];
  if (method !== 'POST') names.push('t');
  if (effect === 'once') names.push('idempotencyKey');
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function answerSchema(data: JsonSchema): JsonSchema {
  const success = envelope({ const: CODE_OK }, data);
  return { oneOf: [success, { $ref: '#/components/schemas/Refusal' }] };
}

function envelope(code: JsonSchema, data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { code, msg: { type: 'string' }, data },
    required: ['code', 'msg', 'data'],
    additionalProperties: false,
  };
}

const TICKET = {
  type: 'object',
  properties: { ticket: { type: 'string' } },
  required: ['ticket'],
  additionalProperties: false,
};

const REFUSAL = {
  oneOf: [
    envelope({ type: 'integer', not: { enum: [CODE_OK, CODE_SECOND_FACTOR] } }, { type: 'null' }),
    envelope({ const: CODE_SECOND_FACTOR }, TICKET),
  ],
  description:
    'The call was refused. `msg` is the reason, in the user’s language. A login that needs a second factor gets a ticket.',
};

const TRANSPORT_ERROR = {
  ...envelope({ type: 'integer', minimum: 400, maximum: 599 }, { type: 'null' }),
  description: '`code` is the HTTP status.',
};

const PARAMETERS = {
  lang: {
    name: 'lang',
    in: 'header',
    description: 'The language of texts; an unknown one means `hk`.',
    schema: { type: 'string', examples: [...LANGUAGES] },
  },
  t: {
    name: 't',
    in: 'query',
    description: 'Unix milliseconds; ignored.',
    schema: { type: 'integer' },
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Made once for one action of the user. Without it the call is served once a request.',
    schema: { type: 'string', format: 'uuid' },
  },
};

function transportErrorResponse(): JsonSchema {
  return {
    description: '404, 413, 429 or 5xx.',
    headers: {
      'Retry-After': {
        description: 'Of 429: seconds to wait.',
        schema: { type: 'integer', minimum: 1 },
      },
    },
    content: { [JSON_TYPE]: { schema: { $ref: '#/components/schemas/TransportError' } } },
  };
}
