import type { GenericSchema } from 'valibot';
import type { JsonSchema } from '#domain/api/schema';
import { clientMessages } from '../socket/messages';
import { Components } from './jsonSchema';
import { serverMessages } from './socket';

type Schemas = Readonly<Record<string, GenericSchema>>;

/** The websocket as AsyncAPI 3.0, from the server's point of view: it receives what clients send. */
export function asyncApiDocument(): JsonSchema {
  const components = new Components();
  const received = messagesOf(clientMessages, 'input', components);
  const sent = messagesOf(serverMessages, 'output', components);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Fulcrum',
      version: '1',
      description: 'Messages of the websocket. docs/protocol.md says what they mean.',
    },
    defaultContentType: 'application/json',
    channels: {
      socket: { address: '/v1/ws', messages: { ...references(received), ...references(sent) } },
    },
    operations: {
      receive: operation('receive', received),
      send: operation('send', sent),
    },
    components: { messages: { ...received, ...sent }, schemas: components.schemas },
  };
}

function messagesOf(schemas: Schemas, io: 'input' | 'output', components: Components): JsonSchema {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      { name, payload: components.schemaOf(schema, io) },
    ]),
  );
}

function references(messages: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
  );
}

function operation(action: 'send' | 'receive', messages: JsonSchema): JsonSchema {
  return {
    action,
    channel: { $ref: '#/channels/socket' },
    messages: Object.keys(messages).map((name) => ({ $ref: `#/channels/socket/messages/${name}` })),
  };
}
