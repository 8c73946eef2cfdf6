import { expect, test } from '@jest/globals';
import { isListQuery, operationsOf } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';

const ENTRIES = 'the entries of one record, in order of time';
const OWN = 'the records of one employee, which fill a page or two';
const LOG = 'a log, which is filtered by user, event and time';
const PROVIDER = 'IDs and events of the payment provider, which filters find';

/** Lists without `q`, with the reason. */
const UNSEARCHED: Readonly<Record<string, string>> = {
  'crm dealPages.calls': ENTRIES,
  'crm dealPages.discussions': ENTRIES,
  'crm dealPages.emails': ENTRIES,
  'crm dealPages.stageHistory': ENTRIES,
  'crm dealPages.timeline': ENTRIES,
  'crm leadPages.calls': ENTRIES,
  'crm leadPages.discussions': ENTRIES,
  'crm leadPages.emails': ENTRIES,
  'crm leadPages.stageHistory': ENTRIES,
  'crm leadPages.timeline': ENTRIES,
  'finance periodLocks.list': 'a lock is found by its date',
  'finance revaluations.list': 'a revaluation is found by its date',
  'hr employeeHistory.list': ENTRIES,
  'hr employeeTransfers.own': OWN,
  'hr ownLeave.list': OWN,
  'hr payrolls.list': 'a run is found by its period',
  'hr payslips.mine': OWN,
  'hr promotions.own': OWN,
  'hr resignations.own': OWN,
  'hr sensitiveAccesses.list': LOG,
  'hr terminations.own': OWN,
  'platform callback.list': PROVIDER,
  'platform sessions.list': 'the sessions of one user',
  'platform smsMessages.list': 'a search by number would find the masked numbers of codes',
  'platform soldSubscriptions.list': PROVIDER,
  'platform users.log': LOG,
  'projects projectActivities.list': ENTRIES,
  'support inbound.listParked': 'failed e-mails, which could not be read',
};

test('every list is searched by `q`, unless a reason is known', () => {
  const found = declaredServices.flatMap((service) =>
    [...operationsOf(service)].flatMap(([id, { query }]) =>
      isListQuery(query) && !query.search ? [`${service.name} ${id}`] : [],
    ),
  );
  expect(found.toSorted()).toEqual(Object.keys(UNSEARCHED).toSorted());
});
