/** Connections to a calendar server: merged with the stored settings, and tested. */
import { invalid } from '@suite/chassis/faults';
import { asCollection, type CalendarServer } from '../caldav/calendar-server.ts';
import { type Calendar, presentToken } from '../caldav/calendar.ts';
import { discoverCalendars, type TaskCalendar } from '../caldav/discovery.ts';
import { beginTrial, StepFailed, type Trial, whileWaiting } from '../../connections/integrations/connection-test.ts';
import { isMasked, masked, MaskedValue } from '../../connections/integrations/integration.rules.ts';
import type { Connection, OpenIntegration } from '../../connections/integrations/integration.ts';
import { ChooseCalendar } from './todo-list.rules.ts';
import type { ToDoListInput, ToDoListSettings } from './todo-list.schema.ts';

/** Secrets of a to-do list. */
export interface ToDoListSecrets {
  password: string;
}

export type OpenToDoList = OpenIntegration<ToDoListSettings, ToDoListSecrets>;

/** Requested connection. */
interface Wanted {
  server_url: string;
  username: string;
  password: string;
  calendar_url: string | undefined;
  direction: ToDoListSettings['direction'];
}

function needed<T>(field: string, value: T | undefined, sentence: string): T {
  if (value === undefined) throw invalid(field, sentence);
  return value;
}

/**
 * Returns the requested connection. Omitted fields keep their current values. A password is sent only to the server it
 * was entered for.
 * @throws MaskedValue, or names the field that is missing or wrong
 */
export function mergeConnection(asked: ToDoListInput, known: OpenToDoList | undefined): Wanted {
  if (asked.password && isMasked(asked.password)) throw MaskedValue({ field: 'password' });
  const before = known?.settings;
  const server_url = needed('server_url', asked.server_url ?? before?.server_url, 'Enter the address of the server.');
  const username = needed('username', asked.username ?? before?.username, 'Give the name at the server.');
  const { origin } = new URL(server_url);
  const isSame = before && new URL(before.server_url).origin === origin && before.username === username;
  const password = asked.password ?? (isSame ? known?.secrets.password : undefined);
  const calendar_url = asked.calendar_url ?? (isSame ? before.calendar_url : undefined);
  if (calendar_url && new URL(calendar_url).origin !== origin)
    throw invalid('calendar_url', 'The calendar must have the same host as the server.');
  return {
    server_url,
    username,
    password: needed('password', password, 'Give the password at this server.'),
    calendar_url,
    direction: asked.direction ?? before?.direction ?? 'both',
  };
}

/** Access to external servers, within the share of a workspace. */
type Way = Pick<CalendarServer, 'outgoing' | 'workspace_id'>;

/** Returns the calendar client of a connection. */
export const calendarOf = (
  {
    settings: { calendar_url, username },
    secrets: { password },
  }: {
    settings: Pick<ToDoListSettings, 'calendar_url' | 'username'>;
    secrets: ToDoListSecrets;
  },
  way: Way,
): Calendar => ({ server: { ...way, username, password }, url: calendar_url });

/** Returns the only calendar. @throws ChooseCalendar, with the available calendars */
function chosen(calendars: readonly TaskCalendar[]): TaskCalendar {
  if (calendars.length > 1) throw ChooseCalendar({ calendars: calendars.map(({ url, name }) => ({ url, name })) });
  return calendars[0]!;
}

function assertWritable({ can_write }: TaskCalendar, direction: string): void {
  if (direction !== 'in' && !can_write) throw new StepFailed('This user may not write into the calendar.');
}

/** Tests a connection, step by step. @returns the connection if no step failed @throws ChooseCalendar */
async function tryConnection(
  trial: Trial,
  { server_url, username, password, calendar_url, direction }: Wanted,
  way: Way,
): Promise<Connection<ToDoListSettings, ToDoListSecrets> | undefined> {
  const server: CalendarServer = { ...way, outgoing: whileWaiting(way.outgoing), username, password };
  const named = calendar_url && asCollection(calendar_url);
  const calendars = await discoverCalendars(trial, server, { server_url, calendar_url: named });
  if (!calendars) return undefined;
  const calendar = chosen(calendars);
  await trial.step('rights', 'The user has the required permissions.', async () => assertWritable(calendar, direction));
  const hasToken = await trial.step('changes', 'The server reports changes.', async () =>
    calendar.has_sync ? (await presentToken({ server, url: calendar.url })) !== undefined : false,
  );
  const capabilities = ['read', ...(calendar.can_write ? ['write'] : []), ...(hasToken ? ['sync_token'] : [])];
  const { url, name: calendar_name } = calendar;
  const shown = { server_url, username, password: masked(password), calendar_url: url, calendar_name, direction };
  return { settings: shown, secrets: { password }, capabilities };
}

/** Tests a connection before it is stored. @throws ChooseCalendar, ConnectionFailed, PrivateAddress */
export async function tryWanted(wanted: Wanted, way: Way) {
  const trial = beginTrial();
  const connection = await tryConnection(trial, wanted, way);
  trial.assertPassed(wanted.calendar_url ? 'calendar_url' : 'server_url');
  return connection!;
}

/** Tests an existing connection. */
export async function testConnection({ settings, secrets }: OpenToDoList, way: Way): Promise<Trial> {
  const trial = beginTrial();
  await tryConnection(trial, { ...settings, ...secrets }, way);
  return trial;
}
