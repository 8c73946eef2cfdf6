/** Checks if work is still under way between the services of a suite. */
import { eventName } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';
import { waitFor } from '@suite/testing/waiting';
import type { OwnSuite } from '@suite/testing/suite/started';

/** A suite with databases that can be queried. */
export type SuiteAccess = Pick<OwnSuite, 'databases' | 'sql'>;

/** Returns the events that a consumer of another service has not processed, and dead letters. */
async function unprocessedEvents(suite: SuiteAccess): Promise<string[]> {
  const missed = declaredServices.map(async ({ name: service, consumers = [] }) => {
    const heard = await suite.sql<{ heard: string }>(service, `SELECT consumer || ' ' || event_id AS heard FROM inbox`);
    const taken = new Set(heard.map((one) => one.heard));
    const expected = consumers.map(async ({ name, event, concerns = () => true }) => {
      const type = eventName(event);
      const publisher = String(type.split('.')[0]);
      const sent = 'SELECT id, data FROM journal_events WHERE type = $1';
      const told = await suite.sql<{ id: string; data: unknown }>(publisher, sent, [type]);
      return told.filter(({ data }) => concerns(event.fromJSON(data) as never)).map(({ id }) => `${name} ${id}`);
    });
    const deadLetters = await suite.sql<{ consumer: string; reason: string }>(
      service,
      'SELECT consumer, reason FROM dead_letters',
    );
    return [
      ...(await Promise.all(expected)).flat().filter((one) => !taken.has(one)),
      ...deadLetters.map(({ consumer, reason }) => `${consumer} has a dead letter: ${reason}`),
    ];
  });
  return (await Promise.all(missed)).flat();
}

/** Returns the events of all services that are not yet published. */
async function unpublishedEvents(suite: SuiteAccess): Promise<string[]> {
  const waiting = declaredServices.map(({ name }) =>
    suite.sql<{ type: string }>(name, 'SELECT type FROM journal_waiting'),
  );
  return (await Promise.all(waiting)).flat().map(({ type }) => `${type} is not published`);
}

/** Returns the unfinished sagas, which documents show as `pending_effects`. */
async function unfinishedWork(suite: SuiteAccess): Promise<string[]> {
  const open = [
    [
      'finance',
      `SELECT document_type || ' ' || state AS saga FROM stock_sagas WHERE state NOT IN ('settled', 'reversed')`,
    ],
    ['projects', `SELECT 'billing ' || state AS saga FROM billing_attempts WHERE state NOT IN ('invoiced', 'deleted')`],
    [
      'hr',
      `SELECT 'payroll ' || kind || ' ' || state AS saga FROM payroll_posting_attempts WHERE state NOT IN ('posted', 'reversed')`,
    ],
    ['crm', `SELECT 'order ' || state AS saga FROM order_reservations WHERE state NOT IN ('reserved', 'released')`],
  ] as const;
  const rows = await Promise.all(open.map(([service, sql]) => suite.sql<{ saga: string }>(service, sql)));
  return rows.flat().map(({ saga }) => saga);
}

/**
 * Waits until every event is published and processed, and every saga has ended.
 * @throws an Error that names the remaining work when the time is over
 */
export const waitUntilIdle = (suite: SuiteAccess, within_ms = 45_000): Promise<void> =>
  waitFor(async () => {
    const left = [await unpublishedEvents(suite), await unprocessedEvents(suite), await unfinishedWork(suite)].flat();
    if (left.length > 0) throw new Error(`Some work is still pending: ${left.join('; ')}.`);
  }, within_ms);
