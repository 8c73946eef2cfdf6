/** Fake of a calendar server, as strict as real ones about ETags, sync tokens and names. */
import { createHash } from 'node:crypto';
import { type FakeResponse, type FakeRequest, type FakeServer, fakeServer } from './fake-server.ts';

export const USERNAME = 'kim';
export const PASSWORD_THERE = 'canary-password-of-kim';
export const CALENDAR = '/cal/kim/tasks/';

interface StoredEntry {
  text: string;
  etag: string;
}

/** Fake calendar server, with its contents and behaviour. */
export interface FakeCalendarServer extends FakeServer {
  /** Entries by path. */
  entries: Map<string, StoredEntry>;
  /** Names of the task calendars. */
  calendars: string[];
  /** Responses sent in sequence instead of the fake's own. */
  queued_responses: FakeResponse[];
  /** Called before each request, to simulate concurrent changes. */
  meanwhile: ((request: FakeRequest) => void) | undefined;
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

const multistatus = (responses: string, token = ''): FakeResponse => ({
  status: 207,
  headers: { 'content-type': 'application/xml' },
  text: `<?xml version="1.0"?><multistatus xmlns="DAV:" xmlns:CAL="urn:ietf:params:xml:ns:caldav">${responses}${token && `<sync-token>${token}</sync-token>`}</multistatus>`,
});
const response = (href: string, prop: string): string =>
  `<response><href>${href}</href><propstat><prop>${prop}</prop><status>HTTP/1.1 200 OK</status></propstat></response>`;
const missing = (href: string): string =>
  `<response><href>${href}</href><status>HTTP/1.1 404 Not Found</status></response>`;

/** Creates the entries with a log of their changes. A sync token is a position in the log. */
function createEntries() {
  const entries: FakeCalendarServer['entries'] = new Map();
  const log: string[] = [];
  const store = {
    entries,
    era: 0,
    token: () => `http://calendar.example/sync/${store.era}/${log.length}`,
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
  return store;
}
type EntryStore = ReturnType<typeof createEntries>;

/** Settings of the fake calendar server. */
type ServerSettings = Pick<FakeCalendarServer, 'calendars' | 'has_tokens' | 'can_write'>;

function collection(
  { has_tokens, can_write }: ServerSettings,
  { token }: EntryStore,
  path: string,
  name: string,
): string {
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

function find(settings: ServerSettings, store: EntryStore, { path, headers }: FakeRequest): FakeResponse {
  if (path === '/.well-known/caldav') return { status: 301, headers: { location: '/dav/' } };
  if (path === '/dav/')
    return multistatus(
      response(path, '<current-user-principal><href>/principals/kim/</href></current-user-principal>'),
    );
  if (path === '/principals/kim/')
    return multistatus(response(path, '<CAL:calendar-home-set><href>/cal/kim/</href></CAL:calendar-home-set>'));
  if (path === '/cal/kim/' && headers['depth'] === '1') {
    const found = settings.calendars.map((name) => collection(settings, store, `/cal/kim/${name}/`, name));
    return multistatus(response(path, '<resourcetype><collection/></resourcetype>') + EVENTS + found.join(''));
  }
  const name = settings.calendars.find((one) => path === `/cal/kim/${one}/`);
  return name ? multistatus(collection(settings, store, path, name)) : { status: 404 };
}

function entryOf({ entries }: EntryStore, path: string, hasText: boolean): string {
  const entry = entries.get(path);
  if (!entry) return missing(path);
  const text = hasText ? `<CAL:calendar-data>${encoded(entry.text)}</CAL:calendar-data>` : '';
  return response(path, `<getetag>${encoded(entry.etag)}</getetag>${text}`);
}

function report({ has_tokens }: ServerSettings, store: EntryStore, { path, body }: FakeRequest): FakeResponse {
  if (body.includes('calendar-multiget')) {
    const hrefs = [...body.matchAll(/<d:href>(.*?)<\/d:href>/g)].map(([, href]) => decoded(href!));
    return multistatus(hrefs.map((href) => entryOf(store, href, body.includes('calendar-data'))).join(''));
  }
  const [, era, place] = /<d:sync-token>.*\/(\d+)\/(\d+)<\/d:sync-token>/.exec(body) ?? [];
  if (!has_tokens || Number(era) !== store.era)
    return { status: 403, text: '<error xmlns="DAV:"><valid-sync-token/></error>' };
  const changed = store.since(Number(place)).filter((one) => one.startsWith(path));
  return multistatus(changed.map((one) => entryOf(store, one, false)).join(''), store.token());
}

function write(
  { can_write }: ServerSettings,
  { entries, put, drop }: EntryStore,
  { method, path, headers, body }: FakeRequest,
): FakeResponse {
  const entry = entries.get(path);
  if (!can_write) return { status: 403 };
  if (headers['if-none-match'] === '*' && entry) return { status: 412 };
  if (headers['if-match'] && headers['if-match'] !== entry?.etag) return { status: 412 };
  if (method === 'DELETE') {
    if (!entry) return { status: 404 };
    drop(path);
    return { status: 204 };
  }
  if (!/^BEGIN:VCALENDAR\r\n[^]*BEGIN:VTODO\r\n[^]*^UID:/m.test(body)) return { status: 415 };
  return { status: entry ? 204 : 201, headers: { etag: put(path, body) } };
}

const AUTHORIZATION = `Basic ${Buffer.from(`${USERNAME}:${PASSWORD_THERE}`).toString('base64')}`;

/** Starts the server. */
export async function caldavServer(): Promise<FakeCalendarServer> {
  const store = createEntries();
  const server = await fakeServer((request: FakeRequest): FakeResponse => {
    state.meanwhile?.(request);
    const next = state.queued_responses.shift();
    if (next) return next;
    if (request.headers.authorization !== AUTHORIZATION)
      return { status: 401, headers: { 'www-authenticate': 'Basic' } };
    const answer = { PROPFIND: find, REPORT: report }[request.method] ?? write;
    return answer(state, store, request);
  });
  const { entries, put, drop } = store;
  const state: FakeCalendarServer = {
    ...server,
    entries,
    calendars: ['tasks'],
    queued_responses: [],
    meanwhile: undefined,
    has_tokens: true,
    can_write: true,
    edit: (path, change) => put(path, change(entries.get(path)?.text ?? '')),
    drop,
    forget() {
      store.era += 1;
    },
  };
  return state;
}
