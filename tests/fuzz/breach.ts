/** Responses to strange input, compared with the API docs. */
import type { Reply } from '@suite/testing/http';
import type { ApiOperation } from '../suite/api-document.ts';
import type { StrangeRequest } from './strange-text.ts';

/** Phrases of the validator, which no message may contain. */
const VALIDATORS =
  /\bToo (small|big)\b|\bInvalid (input|option|string|number|key|value|element|discriminator|UUID|URL|email|ISO)|\bexpected (string|number|array|object|boolean|one of)|\breceived (undefined|string|number|null)|[<>]=\d/;

/** Returns the violation in a response, or undefined if the response is as documented. */
export function findViolation(
  { id, method, successes, refusals }: ApiOperation,
  { about, path, body }: StrangeRequest,
  reply: Reply | string,
): string | undefined {
  const asked = `${id}: ${about}: ${method} ${path.slice(0, 200)} ${body?.slice(0, 300) ?? ''}`;
  if (typeof reply === 'string') return `${asked}\n  is answered with ${reply}`;
  const { status, body: answer } = reply;
  const got = `${asked}\n  is answered with ${status} ${JSON.stringify(answer).slice(0, 300)}`;
  if (status < 300) return successes.includes(status) ? undefined : `${got}, which is not documented`;
  if (status >= 500) return got;
  if (typeof answer !== 'object' || !answer.request_id || !answer.message)
    return `${got}, which is not an error of the API`;
  const told = [answer.message, ...Object.values(answer.errors ?? {}).flat()].join(' ');
  if (VALIDATORS.test(told)) return `${got}, in the validator's words`;
  if (!refusals.has(`${status} ${answer.code}`)) return `${got}, which is not documented`;
  return undefined;
}
