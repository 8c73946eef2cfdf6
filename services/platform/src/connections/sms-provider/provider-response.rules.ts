/** Responses and reports of text-message providers, read by paths in the settings. */
import { isTransient } from '@suite/outbound-http';
import { sanitizeText } from '../integrations/sanitize-text.ts';
import { isCredentialStatus } from '../integrations/integration.rules.ts';
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
export const toIdentifier = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? sanitizeText(String(value), 200) || undefined : undefined;

/**
 * Returns true if a response confirms that a message was accepted: by `path` (true, a number other than 0, or text) or
 * by `path=value`.
 */
export function isSuccess(response: unknown, success_path: string): boolean {
  const [path = '', ...rest] = success_path.split('=');
  const found = readPath(response, path.trim());
  return rest.length > 0 ? String(found) === rest.join('=').trim() : Boolean(found) && found !== 'false';
}

/** Result of sending a message to a provider. */
export type SendResult =
  | { provider_id: string | null; failure?: undefined }
  | (FailedAttempt & { provider_id?: undefined });

const failure = (code: string, message: string, status: number, isTemporary = false): SendResult => ({
  failure: { code, message, status },
  isTemporary,
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Interprets a provider's response. */
export function readResponse(
  { id_path, success_path }: { id_path: string | null; success_path: string | null },
  { status, text }: { status: number; text: string },
): SendResult {
  if (isCredentialStatus(status))
    return failure('credentials_refused', 'The provider rejects the credentials. Check them.', status);
  if (isTransient(status)) return failure('provider_busy', `The provider returned ${status}.`, status, true);
  if (status < 200 || status > 299) return failure('provider_refused', `The provider returned ${status}.`, status);
  const response = id_path || success_path ? parseJson(text) : undefined;
  if (success_path && !isSuccess(response, success_path))
    return failure('not_accepted', "The provider's response does not confirm that the message was accepted.", status);
  return { provider_id: (id_path && toIdentifier(readPath(response, id_path))) || null };
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
export function readStatus(status: string): 'deliver' | 'fail' | undefined {
  const lowerCase = status.toLowerCase();
  if (DELIVERED.includes(lowerCase)) return 'deliver';
  return FAILED.includes(lowerCase) ? 'fail' : undefined;
}
