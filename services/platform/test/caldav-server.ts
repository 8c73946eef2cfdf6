/** Fake of a calendar server, as strict as real ones about ETags, sync tokens and names. */
import { createHash } from 'node:crypto';
import { type Given, type Got, type FakeServer, standIn } from './stand-in.ts';

export const USERNAME = 'kim';
export const PASSWORD_THERE = 'canary-password-of-kim';
export const CALENDAR = '/cal/kim/tasks/';

interface Kept {
  text: string;
  etag: string;
}

/** Fake calendar server, with its contents and behaviour. */
export interface CalendarStandIn extends FakeServer {
  /** Entries by path. */
  entries: Map<string, Kept>;
  /** Names of the task calendars. */
  calendars: string[];
  /** Responses sent in sequence instead of the fake's own. */
  instead: Given[];
  /** Called before each request, to simulate concurrent changes. */
  meanwhile: ((got: Got) => void) | undefined;
  has_tokens: boolean;
  can_write: boolean;
  /** Changes an entry, as another program of the user does. */
  edit(path: string, change: (text: string) => string): void;
  /** Deletes an entry, as another program of the user does. */
  drop(path: string): void;
  /** Invalidates all sync tokens. */
  forget(): void;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };
const decoded = (text: string): string => text.replaceAll(/&(amp|lt|gt|quot);/g, (_, name) => ENTITIES[name]!);
const encoded = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');

const multistatus = (responses: string, token = ''): Given => ({
  status: 207,
  headers: { 'content-type': 'application/xml' },
  text: `<?xml version="1.0"?><multistatus xmlns="DAV:" xmlns:CAL="urn:ietf:params:xml:ns:caldav">${responses}${token && `<sync-token>${token}</sync-token>`}</multistatus>`,
});
const response = (href: string, prop: string): string =>
  `<response><href>${href}</href><propstat><prop>${prop}</prop><status>HTTP/1.1 200 OK</status></propstat></response>`;
const missing = (href: string): string =>
  `<response><href>${href}</href><status>HTTP/1.1 404 Not Found</status></response>`;

/** Creates the entries with a log of their changes. A sync token is a position in the log. */
function shelf() {
  const entries: CalendarStandIn['entries'] = new Map();
  const log: string[] = [];
  const shelved = {
    entries,
    era: 0,
    token: () => `http://calendar.example/sync/${shelved.era}/${log.length}`,
    put(path: string, text: string): string {
      const etag = `"${createHash('sha256').update(`${log.length} ${text}`).digest('hex').slice(0, 16)}"`;
      entries.set(path, { text, etag });
      log.push(path);
      return etag;
    },
    drop(path: string): void {
      if (entries.delete(path)) log.push(path);
    },
    /** Returns the paths that have changed since a position. */
    since: (place: number) => [...new Set(log.slice(place))],
  };
  return shelved;
}
type Shelf = ReturnType<typeof shelf>;

/** Settings of the fake calendar server. */
type Manner = Pick<CalendarStandIn, 'calendars' | 'has_tokens' | 'can_write'>;

function collection({ has_tokens, can_write }: Manner, { token }: Shelf, path: string, name: string): string {
  const write = can_write ? '<privilege><write/></privilege>' : '';
  const report = has_tokens ? '<supported-report><report><sync-collection/></report></supported-report>' : '';
  return response(
    path,
    `<resourcetype><collection/><CAL:calendar/></resourcetype><displayname>${name}</displayname>
     <CAL:supported-calendar-component-set><CAL:comp name="VTODO"/></CAL:supported-calendar-component-set>
     <current-user-privilege-set><privilege><read/></privilege>${write}</current-user-privilege-set>
     <supported-report-set>${report}</supported-report-set>
     ${has_tokens ? `<sync-token>${token()}</sync-token>` : ''}`,
  );
}

const EVENTS = response(
  '/cal/kim/events/',
  '<resourcetype><CAL:calendar/></resourcetype><CAL:supported-calendar-component-set><CAL:comp name="VEVENT"/></CAL:supported-calendar-component-set>',
);

function find(manner: Manner, shelved: Shelf, { path, headers }: Got): Given {
  if (path === '/.well-known/caldav') return { status: 301, headers: { location: '/dav/' } };
  if (path === '/dav/')
    return multistatus(
      response(path, '<current-user-principal><href>/principals/kim/</href></current-user-principal>'),
    );
  if (path === '/principals/kim/')
    return multistatus(response(path, '<CAL:calendar-home-set><href>/cal/kim/</href></CAL:calendar-home-set>'));
  if (path === '/cal/kim/' && headers['depth'] === '1') {
    const found = manner.calendars.map((name) => collection(manner, shelved, `/cal/kim/${name}/`, name));
    return multistatus(response(path, '<resourcetype><collection/></resourcetype>') + EVENTS + found.join(''));
  }
  const name = manner.calendars.find((one) => path === `/cal/kim/${one}/`);
  return name ? multistatus(collection(manner, shelved, path, name)) : { status: 404 };
}

function entryOf({ entries }: Shelf, path: string, hasText: boolean): string {
  const kept = entries.get(path);
  if (!kept) return missing(path);
  const text = hasText ? `<CAL:calendar-data>${encoded(kept.text)}</CAL:calendar-data>` : '';
  return response(path, `<getetag>${encoded(kept.etag)}</getetag>${text}`);
}

function report({ has_tokens }: Manner, shelved: Shelf, { path, body }: Got): Given {
  if (body.includes('calendar-multiget')) {
    const hrefs = [...body.matchAll(/<d:href>(.*?)<\/d:href>/g)].map(([, href]) => decoded(href!));
    return multistatus(hrefs.map((href) => entryOf(shelved, href, body.includes('calendar-data'))).join(''));
  }
  const [, of, place] = /<d:sync-token>.*\/(\d+)\/(\d+)<\/d:sync-token>/.exec(body) ?? [];
  if (!has_tokens || Number(of) !== shelved.era)
    return { status: 403, text: '<error xmlns="DAV:"><valid-sync-token/></error>' };
  const changed = shelved.since(Number(place)).filter((one) => one.startsWith(path));
  return multistatus(changed.map((one) => entryOf(shelved, one, false)).join(''), shelved.token());
}

function write({ can_write }: Manner, { entries, put, drop }: Shelf, { method, path, headers, body }: Got): Given {
  const kept = entries.get(path);
  if (!can_write) return { status: 403 };
  if (headers['if-none-match'] === '*' && kept) return { status: 412 };
  if (headers['if-match'] && headers['if-match'] !== kept?.etag) return { status: 412 };
  if (method === 'DELETE') {
    if (!kept) return { status: 404 };
    drop(path);
    return { status: 204 };
  }
  if (!/^BEGIN:VCALENDAR\r\n[^]*BEGIN:VTODO\r\n[^]*^UID:/m.test(body)) return { status: 415 };
  return { status: kept ? 204 : 201, headers: { etag: put(path, body) } };
}

const KNOWN = `Basic ${Buffer.from(`${USERNAME}:${PASSWORD_THERE}`).toString('base64')}`;

/** Starts the server. */
export async function caldavServer(): Promise<CalendarStandIn> {
  const shelved = shelf();
  const server = await standIn((got: Got): Given => {
    state.meanwhile?.(got);
    const next = state.instead.shift();
    if (next) return next;
    if (got.headers.authorization !== KNOWN) return { status: 401, headers: { 'www-authenticate': 'Basic' } };
    const answer = { PROPFIND: find, REPORT: report }[got.method] ?? write;
    return answer(state, shelved, got);
  });
  const { entries, put, drop } = shelved;
  const state: CalendarStandIn = {
    ...server,
    entries,
    calendars: ['tasks'],
    instead: [],
    meanwhile: undefined,
    has_tokens: true,
    can_write: true,
    edit: (path, change) => put(path, change(entries.get(path)?.text ?? '')),
    drop,
    forget() {
      shelved.era += 1;
    },
  };
  return state;
}
