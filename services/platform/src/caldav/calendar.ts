/** A calendar at a server: what has changed in it, and its entries read, written and deleted. */
import { OutgoingFailure } from '@suite/outgoing';
import { isRefusal } from '../integrations/integration.rules.ts';
import { ServerRefused } from '../integrations/server-refused.ts';
import { askMultistatus, type CalendarServer, callServer, entryIn, refusedWith, urlOf } from './calendar-server.ts';
import { CALDAV, type DavResponse, multiget, propfind, syncCollection } from './multistatus.ts';

/** A calendar, called as its user. Entries are named by their paths. */
export interface Calendar {
  server: CalendarServer;
  /** Ends with a slash. */
  url: string;
}

/** An entry as it lies there. */
export interface Entry {
  etag: string;
  text: string;
}

/** The entries that changed since a token, and those that are gone. */
export interface CalendarChanges {
  /** Their marks by their paths. */
  changed: Map<string, string>;
  gone: Set<string>;
  token: string | undefined;
}

const ROUNDS = 20;
const AT_ONCE = 50;
const TOO_MANY = 507;
const isGone = (status: number): boolean => status === 404 || status === 410;
/** The mark of an entry; none where it is nothing that a header could say again. */
function etagOf(response: DavResponse): string {
  const said = response.prop('getetag')?.textContent?.trim() ?? '';
  return /^[\x20-\x7E]*$/.test(said) ? said : '';
}

/** The token of the calendar as it is now, where its server gives one. */
export async function presentToken({ server, url }: Calendar): Promise<string | undefined> {
  const { responses } = await askMultistatus(server, {
    url,
    method: 'PROPFIND',
    headers: { depth: '0' },
    body: propfind(['d:sync-token']),
  });
  return responses[0]?.prop('sync-token')?.textContent?.trim() || undefined;
}

/** Adds one answer to what has changed. @returns whether the server has more to say */
function note(calendar_url: string, responses: readonly DavResponse[], { changed, gone }: CalendarChanges): boolean {
  for (const response of responses) {
    const path = entryIn(calendar_url, response.href);
    if (!path) continue;
    if (isGone(response.status)) {
      gone.add(path);
      changed.delete(path);
    } else if (etagOf(response)) {
      changed.set(path, etagOf(response));
      gone.delete(path);
    }
  }
  return responses.some(({ status }) => status === TOO_MANY);
}

/** The changes since a token. @returns undefined when the server does not know the token any more, or has too much to say */
export async function changesSince({ server, url }: Calendar, token: string): Promise<CalendarChanges | undefined> {
  const found: CalendarChanges = { changed: new Map(), gone: new Set(), token };
  for (let round = 0; round < ROUNDS; round += 1) {
    try {
      const { responses, sync_token } = await askMultistatus(server, {
        url,
        method: 'REPORT',
        headers: { depth: '0' },
        body: syncCollection(found.token!),
      });
      const hasMore = note(url, responses, found);
      const isSame = !sync_token || sync_token === found.token;
      found.token = sync_token ?? found.token;
      if (!hasMore || isSame) return found;
    } catch (error) {
      if (error instanceof OutgoingFailure && error.code === 'answer_too_large') return undefined;
      // RFC 6578: 403 with valid-sync-token; others answer 400, 409, 410 or 412.
      if (error instanceof ServerRefused && [400, 403, 409, 410, 412].includes(error.status)) return undefined;
      throw error;
    }
  }
  return undefined;
}

type Asked = 'd:getetag' | 'c:calendar-data';

/** Asks for entries; fewer at once where the answer would be too large. Those of which the server says nothing are left out. */
async function askFor(calendar: Calendar, names: readonly Asked[], paths: readonly string[]): Promise<DavResponse[]> {
  const { server, url } = calendar;
  if (paths.length === 0) return [];
  try {
    const body = multiget(names, paths);
    const asked = await askMultistatus(server, { url, method: 'REPORT', headers: { depth: '1' }, body });
    return asked.responses;
  } catch (error) {
    if (!(error instanceof OutgoingFailure) || error.code !== 'answer_too_large' || paths.length === 1) throw error;
    const half = Math.ceil(paths.length / 2);
    return [
      ...(await askFor(calendar, names, paths.slice(0, half))),
      ...(await askFor(calendar, names, paths.slice(half))),
    ];
  }
}

/** How these entries stand, without a token: by their marks. Nothing else in the calendar is looked at. */
export async function presentMarks(calendar: Calendar, paths: readonly string[]): Promise<CalendarChanges> {
  const found: CalendarChanges = { changed: new Map(), gone: new Set(), token: undefined };
  for (let from = 0; from < paths.length; from += 2 * AT_ONCE)
    note(calendar.url, await askFor(calendar, ['d:getetag'], paths.slice(from, from + 2 * AT_ONCE)), found);
  return found;
}

/** Reads entries. @returns null for those that are gone; nothing for those of which the server does not speak */
export async function readEntries(calendar: Calendar, paths: readonly string[]): Promise<Map<string, Entry | null>> {
  const found = new Map<string, Entry | null>();
  for (let from = 0; from < paths.length; from += AT_ONCE)
    for (const response of await askFor(
      calendar,
      ['d:getetag', 'c:calendar-data'],
      paths.slice(from, from + AT_ONCE),
    )) {
      const path = entryIn(calendar.url, response.href);
      const text = response.prop('calendar-data', CALDAV)?.textContent ?? undefined;
      if (path && isGone(response.status)) found.set(path, null);
      else if (path && text !== undefined) found.set(path, { etag: etagOf(response), text });
    }
  return found;
}

/**
 * Writes an entry, where it is as it was: a new one only where there is none.
 * @returns its mark; undefined when it is another one meanwhile
 * @throws ServerRefused, OutgoingFailure
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
  if (answer.status < 200 || answer.status >= 300) throw refusedWith(answer);
  // A server that has changed what it was given tells no mark.
  return answer.headers.etag ?? (await presentMarks(calendar, [path])).changed.get(path);
}

/** Deletes an entry; one that is gone is gone. @param etag as which alone it is deleted @returns whether it is gone */
export async function deleteEntry({ server, url }: Calendar, path: string, etag?: string): Promise<boolean> {
  const headers: Record<string, string> = etag === undefined ? {} : { 'if-match': etag };
  const answer = await callServer(server, { url: urlOf(url, path), method: 'DELETE', headers });
  if (answer.status === 412) return false;
  if (isGone(answer.status) || (answer.status >= 200 && answer.status < 300)) return true;
  throw refusedWith(answer);
}

/** Whether a refusal is about the one entry, and not about the calendar or the credentials. */
export const isAboutEntry = (error: unknown): error is ServerRefused =>
  error instanceof ServerRefused &&
  !isRefusal(error.status) &&
  [400, 405, 409, 413, 415, 422, 507].includes(error.status);
