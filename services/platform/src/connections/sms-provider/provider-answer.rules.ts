/** Responses and reports of text-message providers, read by paths in the settings. */
import { isPassing } from '@suite/outbound-http';
import { foreignText } from '../integrations/foreign-text.ts';
import { isRefusedStatus } from '../integrations/integration.rules.ts';
import type { FailedAttempt } from '../integrations/delivery.ts';

/** Returns the value at a path such as `messages.0.id`, or undefined. */
export function readPath(value: unknown, path: string): unknown {
  let found = value;
  for (const step of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
}

/** Converts an identifying value to text. */
export const asWord = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? foreignText(String(value), 200) || undefined : undefined;

/**
 * Returns true if a response confirms that a message was accepted: by `path` (true, a number other than 0, or text) or
 * by `path=value`.
 */
export function isSuccess(answer: unknown, success_path: string): boolean {
  const [path = '', ...rest] = success_path.split('=');
  const found = readPath(answer, path.trim());
  return rest.length > 0 ? String(found) === rest.join('=').trim() : Boolean(found) && found !== 'false';
}

/** Result of sending a message to a provider. */
export type Handover =
  | { provider_id: string | null; failure?: undefined }
  | (FailedAttempt & { provider_id?: undefined });

const failed = (code: string, message: string, status: number, passing = false): Handover => ({
  failure: { code, message, status },
  passing,
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Interprets a provider's response. */
export function readAnswer(
  { id_path, success_path }: { id_path: string | null; success_path: string | null },
  { status, text }: { status: number; text: string },
): Handover {
  if (isRefusedStatus(status))
    return failed('credentials_refused', 'The provider rejects the credentials. Check them.', status);
  if (isPassing(status)) return failed('provider_busy', `The provider answers with ${status}.`, status, true);
  if (status < 200 || status > 299) return failed('provider_refused', `The provider answers with ${status}.`, status);
  const answer = id_path || success_path ? parsed(text) : undefined;
  if (success_path && !isSuccess(answer, success_path))
    return failed('not_accepted', "The provider's response does not confirm that the message was accepted.", status);
  return { provider_id: (id_path && asWord(readPath(answer, id_path))) || null };
}

const DELIVERED = ['delivered', 'delivrd', 'success', 'received', 'read'];
const FAILED = [
  'failed',
  'failure',
  'undelivered',
  'undeliv',
  'rejected',
  'rejectd',
  'expired',
  'error',
  'deleted',
  'unknown',
];

/** Maps a provider's status to an action. Returns undefined for other words, such as "buffered". */
export function readStatus(word: string): 'deliver' | 'fail' | undefined {
  const folded = word.toLowerCase();
  if (DELIVERED.includes(folded)) return 'deliver';
  return FAILED.includes(folded) ? 'fail' : undefined;
}
