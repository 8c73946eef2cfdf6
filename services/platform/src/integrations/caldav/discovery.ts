/** Finds the calendars of a user on a server (RFC 6764, RFC 4791). */
import { StepFailed, type ConnectionTrial } from '../../connections/integrations/connection-test.ts';
import { isCredentialStatus } from '../../connections/integrations/integration.rules.ts';
import {
  resolveAddress,
  toCollectionUrl,
  requestMultistatus,
  type CalendarServer,
  callServer,
  type DavRequest,
  toRejection,
} from './calendar-server.ts';
import {
  CALDAV,
  childrenOf,
  type DavElement,
  type DavResponse,
  hasChild,
  propfind,
  readMultistatus,
} from './multistatus.ts';

/** Calendar for tasks. */
export interface TaskCalendar {
  url: string;
  name: string;
  can_write: boolean;
  /** True if the server reports the changes since a token. */
  has_sync: boolean;
}

const WELL_KNOWN = '/.well-known/caldav';
const REDIRECTS_MAX = 5;
const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

/** Returns the target of a redirect, if it is on the same host and no less secure. */
function redirectTarget(location: string | undefined, from: string): string | undefined {
  if (!location || !URL.canParse(location, from)) return undefined;
  const [next, last] = [new URL(location, from), new URL(from)];
  const isSaferPort = last.protocol === 'http:' && next.protocol === 'https:' && next.hostname === last.hostname;
  return next.origin === last.origin || isSaferPort ? next.href : undefined;
}

/** Requests properties of an address, and follows redirects. @returns the properties and the final address */
async function requestProperties(server: CalendarServer, url: string, names: readonly string[]) {
  const request: Omit<DavRequest, 'url'> = { method: 'PROPFIND', headers: { depth: '0' }, body: propfind(names) };
  let at = url;
  for (let remaining = REDIRECTS_MAX; ; remaining -= 1) {
    const answer = await callServer(server, { ...request, url: at });
    if (answer.status === 207) {
      const { responses } = await readMultistatus(answer.text());
      return { at, response: responses[0] };
    }
    const next = REDIRECT_STATUSES.includes(answer.status) ? redirectTarget(answer.headers.location, at) : undefined;
    if (!next || remaining === 0) throw toRejection(answer);
    at = next;
  }
}

const hrefIn = (element: DavElement | undefined): string => childrenOf(element, 'href')[0]?.textContent?.trim() ?? '';

/** Finds the user's principal on the server. Uses the given address if it has a path, otherwise the well-known one. */
async function findPrincipal(server: CalendarServer, server_url: string): Promise<string> {
  const { origin, pathname } = new URL(server_url);
  const candidates = [origin + WELL_KNOWN, `${origin}/`];
  let last: unknown = new StepFailed('The server does not identify its user.');
  for (const url of pathname === '/' ? candidates : [server_url, ...candidates]) {
    try {
      const { at, response } = await requestProperties(server, url, ['d:current-user-principal']);
      const found = resolveAddress(hrefIn(response?.prop('current-user-principal')), at);
      if (found) return found;
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      last = error;
      if (isCredentialStatus((error as { status?: number }).status ?? 0)) break;
    }
  }
  throw last;
}

async function findHome(server: CalendarServer, principal: string): Promise<string> {
  const { at, response } = await requestProperties(server, principal, ['c:calendar-home-set']);
  const found = resolveAddress(hrefIn(response?.prop('calendar-home-set', CALDAV)), at);
  if (!found) throw new StepFailed('The server has no calendars for this user.');
  return toCollectionUrl(found);
}

const CALENDAR_PROPERTIES = [
  'd:resourcetype',
  'd:displayname',
  'c:supported-calendar-component-set',
  'd:current-user-privilege-set',
  'd:supported-report-set',
];

/** Returns true if an element contains one of these words, at any depth. */
const containsWord = (element: DavElement | undefined, words: readonly string[]): boolean =>
  [...(element?.childNodes ?? [])].some((node) => words.includes(node.localName ?? '') || containsWord(node, words));

interface ElementWithAttributes extends DavElement {
  getAttribute(name: string): string | null;
}

/** Returns a calendar that accepts tasks. A calendar that does not state its component types accepts all. */
function calendarOf(response: DavResponse, at: string): TaskCalendar | undefined {
  const url = resolveAddress(response.href, at);
  if (!url || !hasChild(response.prop('resourcetype'), 'calendar', CALDAV)) return undefined;
  const kinds = response.prop('supported-calendar-component-set', CALDAV);
  const names = childrenOf(kinds, 'comp', CALDAV).map((kind) => (kind as ElementWithAttributes).getAttribute('name'));
  if (kinds && !names.includes('VTODO')) return undefined;
  const privileges = response.prop('current-user-privilege-set');
  return {
    url: toCollectionUrl(url),
    name: (response.prop('displayname')?.textContent?.trim() || new URL(url).pathname).slice(0, 200),
    can_write: !privileges || containsWord(privileges, ['all', 'write', 'write-content', 'bind']),
    has_sync: containsWord(response.prop('supported-report-set'), ['sync-collection']),
  };
}

async function listCalendars(server: CalendarServer, home: string): Promise<TaskCalendar[]> {
  const { responses } = await requestMultistatus(server, {
    url: home,
    method: 'PROPFIND',
    headers: { depth: '1' },
    body: propfind(CALENDAR_PROPERTIES),
  });
  const found = responses.flatMap((response) => calendarOf(response, home) ?? []);
  if (found.length === 0) throw new StepFailed('None of the calendars of this user supports tasks.');
  return found;
}

async function findCalendar(server: CalendarServer, url: string): Promise<TaskCalendar> {
  const { at, response } = await requestProperties(server, url, CALENDAR_PROPERTIES);
  const found = response && calendarOf(response, at);
  if (!found) throw new StepFailed('This calendar does not support tasks. Select another one.');
  return found;
}

/**
 * Finds the calendars of a user, or a specified one, in the steps of a connection test.
 * @returns undefined if a step failed
 */
export async function discoverCalendars(
  trial: ConnectionTrial,
  server: CalendarServer,
  { server_url, calendar_url }: { server_url: string; calendar_url?: string | undefined },
): Promise<TaskCalendar[] | undefined> {
  if (calendar_url) {
    const found = await trial.step('calendar', 'The calendar exists and supports tasks.', () =>
      findCalendar(server, calendar_url),
    );
    return found && [found];
  }
  const principal = await trial.step('principal', 'The server knows the user.', () =>
    findPrincipal(server, server_url),
  );
  const home = await trial.step('home', 'The user has calendars.', () => findHome(server, principal!));
  return await trial.step('calendars', 'At least one calendar supports tasks.', () => listCalendars(server, home!));
}
