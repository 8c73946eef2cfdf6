/** Calendar on a server: reads changes, and reads, writes and deletes entries. */
import { OutgoingFailure } from '@suite/outbound-http';
import { isCredentialStatus } from '../../connections/integrations/integration.rules.ts';
import { ServerRejection } from '../../connections/integrations/server-rejection.ts';
import {
  requestMultistatus,
  type CalendarServer,
  callServer,
  entryPath,
  toRejection,
  urlOf,
} from './calendar-server.ts';
import { CALDAV, type DavResponse, multiget, propfind, syncCollection } from './multistatus.ts';

/** Calendar of a user. Entries are identified by their paths. */
export interface Calendar {
  server: CalendarServer;
  /** Address of the calendar, with a trailing slash. */
  url: string;
}

/** Entry as stored on the server. */
export interface CalendarEntry {
  etag: string;
  text: string;
}

/** Entries that have changed since a token, and deleted entries. */
export interface CalendarChanges {
  /** ETags of changed entries, by path. */
  changed: Map<string, string>;
  gone: Set<string>;
  token: string | undefined;
}

const ROUNDS_MAX = 20;
const BATCH = 50;
const STATUS_TOO_MANY = 507;
const isGone = (status: number): boolean => status === 404 || status === 410;
/** Returns the ETag of an entry. Empty for a value that is not valid in a header. */
function etagOf(response: DavResponse): string {
  const etag = response.prop('getetag')?.textContent?.trim() ?? '';
  return /^[\x20-\x7E]*$/.test(etag) ? etag : '';
}

/** Returns the current token of the calendar, if its server provides one. */
export async function readSyncToken({ server, url }: Calendar): Promise<string | undefined> {
  const { responses } = await requestMultistatus(server, {
    url,
    method: 'PROPFIND',
    headers: { depth: '0' },
    body: propfind(['d:sync-token']),
  });
  return responses[0]?.prop('sync-token')?.textContent?.trim() || undefined;
}

/** Adds a response to the changes. @returns true if the server has more changes */
function addChanges(
  calendar_url: string,
  responses: readonly DavResponse[],
  { changed, gone }: CalendarChanges,
): boolean {
  for (const response of responses) {
    const path = entryPath(calendar_url, response.href);
    if (!path) continue;
    if (isGone(response.status)) {
      gone.add(path);
      changed.delete(path);
    } else if (etagOf(response)) {
      changed.set(path, etagOf(response));
      gone.delete(path);
    }
  }
  return responses.some(({ status }) => status === STATUS_TOO_MANY);
}

/**
 * Returns the changes since a token. @returns undefined when the server no longer knows the token, or has too many
 * changes
 */
export async function readChangesSince({ server, url }: Calendar, token: string): Promise<CalendarChanges | undefined> {
  const found: CalendarChanges = { changed: new Map(), gone: new Set(), token };
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    try {
      const { responses, sync_token } = await requestMultistatus(server, {
        url,
        method: 'REPORT',
        headers: { depth: '0' },
        body: syncCollection(found.token!),
      });
      const hasMore = addChanges(url, responses, found);
      const isSame = !sync_token || sync_token === found.token;
      found.token = sync_token ?? found.token;
      if (!hasMore || isSame) return found;
    } catch (error) {
      if (error instanceof OutgoingFailure && error.code === 'answer_too_large') return undefined;
      // RFC 6578: 403 with valid-sync-token. Others answer 400, 409, 410 or 412.
      if (error instanceof ServerRejection && [400, 403, 409, 410, 412].includes(error.status)) return undefined;
      throw error;
    }
  }
  return undefined;
}

type EntryProperty = 'd:getetag' | 'c:calendar-data';

/**
 * Requests entries, in smaller batches if the response would be too large. Omits entries that the server does not
 * mention.
 */
async function requestEntries(
  calendar: Calendar,
  names: readonly EntryProperty[],
  paths: readonly string[],
): Promise<DavResponse[]> {
  const { server, url } = calendar;
  if (paths.length === 0) return [];
  try {
    const body = multiget(names, paths);
    const multistatus = await requestMultistatus(server, { url, method: 'REPORT', headers: { depth: '1' }, body });
    return multistatus.responses;
  } catch (error) {
    if (!(error instanceof OutgoingFailure) || error.code !== 'answer_too_large' || paths.length === 1) throw error;
    const half = Math.ceil(paths.length / 2);
    return [
      ...(await requestEntries(calendar, names, paths.slice(0, half))),
      ...(await requestEntries(calendar, names, paths.slice(half))),
    ];
  }
}

/** Returns the state of these entries without a token, by their ETags. Reads nothing else in the calendar. */
export async function readEtags(calendar: Calendar, paths: readonly string[]): Promise<CalendarChanges> {
  const found: CalendarChanges = { changed: new Map(), gone: new Set(), token: undefined };
  for (let from = 0; from < paths.length; from += 2 * BATCH)
    addChanges(calendar.url, await requestEntries(calendar, ['d:getetag'], paths.slice(from, from + 2 * BATCH)), found);
  return found;
}

/** Reads entries. @returns null for deleted entries. Nothing for entries that the server does not mention */
export async function readEntries(
  calendar: Calendar,
  paths: readonly string[],
): Promise<Map<string, CalendarEntry | null>> {
  const found = new Map<string, CalendarEntry | null>();
  for (let from = 0; from < paths.length; from += BATCH)
    for (const response of await requestEntries(
      calendar,
      ['d:getetag', 'c:calendar-data'],
      paths.slice(from, from + BATCH),
    )) {
      const path = entryPath(calendar.url, response.href);
      const text = response.prop('calendar-data', CALDAV)?.textContent ?? undefined;
      if (path && isGone(response.status)) found.set(path, null);
      else if (path && text !== undefined) found.set(path, { etag: etagOf(response), text });
    }
  return found;
}

/**
 * Writes an entry if it has not changed on the server. Creates a new entry only if there is none.
 * @returns its ETag. Undefined when it has changed in the meantime
 * @throws ServerRejection, OutgoingFailure
 */
export async function writeEntry(
  calendar: Calendar,
  path: string,
  { text, etag }: { text: string; etag: string | undefined },
): Promise<string | undefined> {
  const { server, url } = calendar;
  const condition: Record<string, string> = etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag };
  const headers = { 'content-type': 'text/calendar; charset=utf-8', ...condition };
  const answer = await callServer(server, { url: urlOf(url, path), method: 'PUT', headers, body: text });
  if (answer.status === 412) return undefined;
  if (answer.status < 200 || answer.status >= 300) throw toRejection(answer);
  // A server that has modified the entry returns no ETag.
  return answer.headers.etag ?? (await readEtags(calendar, [path])).changed.get(path);
}

/**
 * Deletes an entry. A missing entry counts as deleted. @param etag as which alone it is deleted @returns true if it no
 * longer exists
 */
export async function deleteEntry({ server, url }: Calendar, path: string, etag?: string): Promise<boolean> {
  const headers: Record<string, string> = etag === undefined ? {} : { 'if-match': etag };
  const answer = await callServer(server, { url: urlOf(url, path), method: 'DELETE', headers });
  if (answer.status === 412) return false;
  if (isGone(answer.status) || (answer.status >= 200 && answer.status < 300)) return true;
  throw toRejection(answer);
}

/** Returns true if an error concerns the entry alone, and not the calendar or the credentials. */
export const isAboutEntry = (error: unknown): error is ServerRejection =>
  error instanceof ServerRejection &&
  !isCredentialStatus(error.status) &&
  [400, 405, 409, 413, 415, 422, 507].includes(error.status);
