import type { FastifyInstance } from 'fastify';
import type { JsonSchema } from '#domain/api/schema';
import { asyncApiDocument } from './asyncapi';
import { openApiDocument } from './openapi';

/** The documents of the API (protocol.md#schemas), of the calls that are registered; without an envelope. */
export function documentRoutes(app: FastifyInstance): void {
  let openApi: JsonSchema | undefined;
  let asyncApi: JsonSchema | undefined;
  const add = (url: string, handler: () => JsonSchema) =>
    app.route({ method: ['GET', 'HEAD'], url, handler });
  add('/api/openapi.json', () => (openApi ??= openApiDocument(app.declaredCalls)));
  add('/api/asyncapi.json', () => (asyncApi ??= asyncApiDocument()));
}
