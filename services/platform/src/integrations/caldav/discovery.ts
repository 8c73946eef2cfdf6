/** Finds the calendars of a user on a server (RFC 6764, RFC 4791). */
import { StepFailed, type Trial } from '../../connections/integrations/connection-test.ts';
import { isRefusedStatus } from '../../connections/integrations/integration.rules.ts';
import {
  addressIn,
  asCollection,
  askMultistatus,
  type CalendarServer,
  callServer,
  type DavRequest,
  refusedWith,
} from './calendar-server.ts';
import {
  CALDAV,
  childrenOf,
  type DavElement,
  type DavResponse,
  has,
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
const REDIRECTS = 5;
const FOUND = [301, 302, 303, 307, 308];

/** Returns the target of a redirect, if it is on the same host and no less secure. */
function redirected(location: string | undefined, from: string): string | undefined {
  if (!location || !URL.canParse(location, from)) return undefined;
  const [next, last] = [new URL(location, from), new URL(from)];
  const isSaferPort = last.protocol === 'http:' && next.protocol === 'https:' && next.hostname === last.hostname;
  return next.origin === last.origin || isSaferPort ? next.href : undefined;
}

/** Requests properties of an address, and follows redirects. @returns the properties and the final address */
async function find(server: CalendarServer, url: string, names: readonly string[]) {
  const request: Omit<DavRequest, 'url'> = { method: 'PROPFIND', headers: { depth: '0' }, body: propfind(names) };
  let at = url;
  for (let left = REDIRECTS; ; left -= 1) {
    const answer = await callServer(server, { ...request, url: at });
    if (answer.status === 207) {
      const { responses } = await readMultistatus(answer.text());
      return { at, response: responses[0] };
    }
    const next = FOUND.includes(answer.status) ? redirected(answer.headers.location, at) : undefined;
    if (!next || left === 0) throw refusedWith(answer);
    at = next;
  }
}

const hrefIn = (element: DavElement | undefined): string => childrenOf(element, 'href')[0]?.textContent?.trim() ?? '';

/** Finds the user's principal on the server. Uses the given address if it has a path, otherwise the well-known one. */
async function findPrincipal(server: CalendarServer, server_url: string): Promise<string> {
  const { origin, pathname } = new URL(server_url);
  const known = [origin + WELL_KNOWN, `${origin}/`];
  let last: unknown = new StepFailed('The server does not identify its user.');
  for (const url of pathname === '/' ? known : [server_url, ...known]) {
    try {
      const { at, response } = await find(server, url, ['d:current-user-principal']);
      const found = addressIn(hrefIn(response?.prop('current-user-principal')), at);
      if (found) return found;
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      last = error;
      if (isRefusedStatus((error as { status?: number }).status ?? 0)) break;
    }
  }
  throw last;
}

async function findHome(server: CalendarServer, principal: string): Promise<string> {
  const { at, response } = await find(server, principal, ['c:calendar-home-set']);
  const found = addressIn(hrefIn(response?.prop('calendar-home-set', CALDAV)), at);
  if (!found) throw new StepFailed('The server has no calendars for this user.');
  return asCollection(found);
}

const ABOUT = [
  'd:resourcetype',
  'd:displayname',
  'c:supported-calendar-component-set',
  'd:current-user-privilege-set',
  'd:supported-report-set',
];

/** Returns true if an element contains one of these words, at any depth. */
const says = (element: DavElement | undefined, words: readonly string[]): boolean =>
  [...(element?.childNodes ?? [])].some((node) => words.includes(node.localName ?? '') || says(node, words));

interface WithAttributes extends DavElement {
  getAttribute(name: string): string | null;
}

/** Returns a calendar that accepts tasks. A calendar that does not state its component types accepts all. */
function calendarOf(response: DavResponse, at: string): TaskCalendar | undefined {
  const url = addressIn(response.href, at);
  if (!url || !has(response.prop('resourcetype'), 'calendar', CALDAV)) return undefined;
  const kinds = response.prop('supported-calendar-component-set', CALDAV);
  const names = childrenOf(kinds, 'comp', CALDAV).map((kind) => (kind as WithAttributes).getAttribute('name'));
  if (kinds && !names.includes('VTODO')) return undefined;
  const privileges = response.prop('current-user-privilege-set');
  return {
    url: asCollection(url),
    name: (response.prop('displayname')?.textContent?.trim() || new URL(url).pathname).slice(0, 200),
    can_write: !privileges || says(privileges, ['all', 'write', 'write-content', 'bind']),
    has_sync: says(response.prop('supported-report-set'), ['sync-collection']),
  };
}

async function listCalendars(server: CalendarServer, home: string): Promise<TaskCalendar[]> {
  const { responses } = await askMultistatus(server, {
    url: home,
    method: 'PROPFIND',
    headers: { depth: '1' },
    body: propfind(ABOUT),
  });
  const found = responses.flatMap((response) => calendarOf(response, home) ?? []);
  if (found.length === 0) throw new StepFailed('None of the calendars of this user supports tasks.');
  return found;
}

async function findCalendar(server: CalendarServer, url: string): Promise<TaskCalendar> {
  const { at, response } = await find(server, url, ABOUT);
  const found = response && calendarOf(response, at);
  if (!found) throw new StepFailed('This calendar does not support tasks. Select another one.');
  return found;
}

/**
 * Finds the calendars of a user, or a specified one, in the steps of a connection test.
 * @returns undefined if a step failed
 */
export async function discoverCalendars(
  trial: Trial,
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
