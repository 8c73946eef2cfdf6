/** Operations of the gateway itself, declared as in a service. */
import { invalid, type Operation } from '@suite/chassis/gateway';
import type { GatewayReply } from '../request/request-context.ts';
import { OWN } from '../request/routing.ts';
import * as version from './version.api.ts';

export const ownOperations = { name: OWN, operations: { version } };

const byName = new Map<string, Operation>(
  Object.values(ownOperations.operations)
    .flatMap((noun) => Object.values(noun))
    .map((operation) => [`${operation.method} ${operation.path}`, operation]),
);

/** Responds to an operation of the gateway. No such operation accepts input. @throws 422 for a parameter */
export function answerOwn(reply: GatewayReply): void {
  const { operation, headers } = reply.locals.context;
  const declared = byName.get(operation?.name ?? '');
  if (!declared) throw new Error(`The gateway has no operation ${operation?.name}.`);
  const [unknown] = Object.keys(reply.req.query);
  if (unknown !== undefined) throw invalid(unknown, 'Unknown parameter. Remove it.');
  const body = JSON.stringify({ data: declared.reply.schema.parse(declared.handle({})) });
  const type = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };
  reply.writeHead(declared.reply.status, { ...headers, ...type });
  reply.end(reply.req.method === 'HEAD' ? undefined : body);
}
