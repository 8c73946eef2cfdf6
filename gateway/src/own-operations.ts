/** Operations of the gateway itself, declared as in a service. */
import {
  assertText,
  invalid,
  type Operation,
  parse,
  parseJson,
  UnsupportedMediaType,
  wholePage,
} from '@suite/chassis/gateway';
import * as batches from './batch/batches.api.ts';
import type { BatchTools } from './batch/batch.ts';
import * as version from './docs/version.api.ts';
import type { GatewayReply } from './request/request-context.ts';
import { OWN } from './request/routing.ts';

export const ownOperations = { name: OWN, operations: { batches, version } };

const byName = new Map<string, Operation>(
  Object.values(ownOperations.operations)
    .flatMap((noun) => Object.values(noun))
    .map((operation) => [`${operation.method} ${operation.path}`, operation]),
);

/** Returns the declaration of an operation of the gateway. */
function declarationOf({ locals: { context } }: GatewayReply): Operation {
  const declared = byName.get(context.operation?.name ?? '');
  if (!declared) throw new Error(`The gateway has no operation ${context.operation?.name}.`);
  return declared;
}

/** JSON in UTF-8, its only encoding (RFC 8259). */
const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** Returns the body of a request, as its operation declares it. An empty body is an empty object. @throws 415 and 422 */
async function bodyOf({ body: schema }: Operation, { req, locals: { context } }: GatewayReply): Promise<unknown> {
  if (!schema) return undefined;
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = req.headers;
  const bytes = context.body ?? Buffer.alloc(0);
  if (bytes.length > 0 && (!JSON_TYPE.test(type) || coding !== 'identity')) throw UnsupportedMediaType();
  const raw = bytes.length > 0 ? await parseJson(bytes) : {};
  assertText(raw);
  return parse(schema, raw);
}

/**
 * Responds to an operation of the gateway. No such operation accepts parameters.
 * @throws 422 for invalid input
 */
export async function answerOwn(reply: GatewayReply, tools: BatchTools): Promise<void> {
  const declared = declarationOf(reply);
  const { req: request } = reply;
  const [unknown] = Object.keys(request.query);
  if (unknown !== undefined) throw invalid(unknown, 'Unknown parameter. Remove it.');
  const input = { body: await bodyOf(declared, reply), rpc: tools };
  const prepared = await declared.prepare?.(input);
  const data = declared.reply.schema.parse(declared.handle({ ...input, prepared }));
  if (reply.writableEnded || reply.destroyed) return;
  const { rows, ...meta } = Array.isArray(data) ? wholePage(data) : { rows: data };
  const body = JSON.stringify({ data: rows, ...(Array.isArray(data) && { meta }) });
  const type = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };
  reply.writeHead(declared.reply.status, { ...reply.locals.context.headers, ...type });
  reply.end(request.method === 'HEAD' ? undefined : body);
}
