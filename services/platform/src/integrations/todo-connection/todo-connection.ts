/** Connections to a calendar server: merged with the stored settings, and tested. */
import { invalid } from '@suite/chassis/faults';
import { toCollectionUrl, type CalendarServer } from '../caldav/calendar-server.ts';
import { type Calendar, readSyncToken } from '../caldav/calendar.ts';
import { discoverCalendars, type TaskCalendar } from '../caldav/discovery.ts';
import {
  startTrial,
  StepFailed,
  type ConnectionTrial,
  withCallerTimeout,
} from '../../connections/integrations/connection-test.ts';
import { isMasked, maskSecret, MaskedValue } from '../../connections/integrations/integration.rules.ts';
import type { Connection, OpenIntegration } from '../../connections/integrations/integration.ts';
import { CalendarRequired } from './todo-list.rules.ts';
import type { ToDoListInput, ToDoListSettings } from './todo-list.schema.ts';

/** Secrets of a to-do list. */
export interface ToDoListSecrets {
  password: string;
}

export type OpenToDoList = OpenIntegration<ToDoListSettings, ToDoListSecrets>;

/** Requested connection. */
interface RequestedConnection {
  server_url: string;
  username: string;
  password: string;
  calendar_url: string | undefined;
  direction: ToDoListSettings['direction'];
}

function requireField<T>(field: string, value: T | undefined, sentence: string): T {
  if (value === undefined) throw invalid(field, sentence);
  return value;
}

/**
 * Returns the requested connection. Omitted fields keep their current values. A password is sent only to the server it
 * was entered for.
 * @throws MaskedValue, or names the field that is missing or wrong
 */
export function mergeConnection(input: ToDoListInput, existing: OpenToDoList | undefined): RequestedConnection {
  if (input.password && isMasked(input.password)) throw MaskedValue({ field: 'password' });
  const before = existing?.settings;
  const server_url = requireField(
    'server_url',
    input.server_url ?? before?.server_url,
    'Enter the address of the server.',
  );
  const username = requireField('username', input.username ?? before?.username, 'Enter your user name on the server.');
  const { origin } = new URL(server_url);
  const isSame = before && new URL(before.server_url).origin === origin && before.username === username;
  const password = input.password ?? (isSame ? existing?.secrets.password : undefined);
  const calendar_url = input.calendar_url ?? (isSame ? before.calendar_url : undefined);
  if (calendar_url && new URL(calendar_url).origin !== origin)
    throw invalid('calendar_url', 'The calendar must have the same host as the server.');
  return {
    server_url,
    username,
    password: requireField('password', password, 'Enter your password on the server.'),
    calendar_url,
    direction: input.direction ?? before?.direction ?? 'both',
  };
}

/** Access to external servers, within the share of a workspace. */
type OutgoingAccess = Pick<CalendarServer, 'outgoing' | 'workspace_id'>;

/** Returns the calendar client of a connection. */
export const calendarOf = (
  {
    settings: { calendar_url, username },
    secrets: { password },
  }: {
    settings: Pick<ToDoListSettings, 'calendar_url' | 'username'>;
    secrets: ToDoListSecrets;
  },
  access: OutgoingAccess,
): Calendar => ({ server: { ...access, username, password }, url: calendar_url });

/** Returns the only calendar. @throws CalendarRequired, with the available calendars */
function selectCalendar(calendars: readonly TaskCalendar[]): TaskCalendar {
  if (calendars.length > 1) throw CalendarRequired({ calendars: calendars.map(({ url, name }) => ({ url, name })) });
  return calendars[0]!;
}

function assertWritable({ can_write }: TaskCalendar, direction: string): void {
  if (direction !== 'in' && !can_write) throw new StepFailed('This user may not write into the calendar.');
}

/** Tests a connection, step by step. @returns the connection if no step failed @throws CalendarRequired */
async function runConnectionTest(
  trial: ConnectionTrial,
  { server_url, username, password, calendar_url, direction }: RequestedConnection,
  access: OutgoingAccess,
): Promise<Connection<ToDoListSettings, ToDoListSecrets> | undefined> {
  const server: CalendarServer = { ...access, outgoing: withCallerTimeout(access.outgoing), username, password };
  const collection_url = calendar_url && toCollectionUrl(calendar_url);
  const calendars = await discoverCalendars(trial, server, { server_url, calendar_url: collection_url });
  if (!calendars) return undefined;
  const calendar = selectCalendar(calendars);
  await trial.step('rights', 'The user has the required permissions.', async () => assertWritable(calendar, direction));
  const hasToken = await trial.step('changes', 'The server reports changes.', async () =>
    calendar.has_sync ? (await readSyncToken({ server, url: calendar.url })) !== undefined : false,
  );
  const capabilities = ['read', ...(calendar.can_write ? ['write'] : []), ...(hasToken ? ['sync_token'] : [])];
  const { url, name: calendar_name } = calendar;
  const shown = { server_url, username, password: maskSecret(password), calendar_url: url, calendar_name, direction };
  return { settings: shown, secrets: { password }, capabilities };
}

/** Tests a connection before it is stored. @throws CalendarRequired, ConnectionFailed, PrivateAddress */
export async function testRequested(requested: RequestedConnection, access: OutgoingAccess) {
  const trial = startTrial();
  const connection = await runConnectionTest(trial, requested, access);
  trial.assertPassed(requested.calendar_url ? 'calendar_url' : 'server_url');
  return connection!;
}

/** Tests an existing connection. */
export async function testConnection(
  { settings, secrets }: OpenToDoList,
  access: OutgoingAccess,
): Promise<ConnectionTrial> {
  const trial = startTrial();
  await runConnectionTest(trial, { ...settings, ...secrets }, access);
  return trial;
}
