import { beforeAll, expect, test } from '@jest/globals';
import { inParallel } from '../isolation/intruder.ts';
import { type ApiOperation, apiDocument, operationsIn, pathWith } from '../suite/api-document.ts';
import { pathIds, type RecordIds } from '../suite/draft.ts';
import type { Reply } from '@suite/testing';
import { createOneOfEach, givenStock, make } from '../suite/create-one-of-each.ts';
import { nounOfPath } from '../suite/noun.ts';
import { bearer, type SignedIn, signIn } from '@suite/testing/suite/http-caller';
import { sharedSuite } from '@suite/testing/suite/started';
import { trade } from '../suite/trade.ts';
import { openWorkspace } from '@suite/testing/suite/workspace';
import { type Strange, strangeRequests } from './strange-input.ts';
import { unstorable } from './unstorable.ts';

/** Every run asks the same, unless the environment says otherwise: `FUZZ_TIMES=130` sends 40 000 calls. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const USUAL_TIMES = 24;
const TIMES = Number(process.env['FUZZ_TIMES'] ?? USUAL_TIMES);
const WIDTH = 8;
/** How the validator speaks, and we never do. */
const VALIDATORS =
  /\bToo (small|big)\b|\bInvalid (input|option|string|number|key|value|element|discriminator|UUID|URL|email|ISO)|\bexpected (string|number|array|object|boolean|one of)|\breceived (undefined|string|number|null)|[<>]=\d/;

/**
 * These succeed only with a password, a token or a link that nobody can make up, when nothing is left that they hold, or in
 * a state that the record which is asked about has passed already. Each has tests of its own beside it.
 */
const OUT_OF_REACH = [
  'account.changePassword',
  'account.editProfile',
  'account.photo',
  'account.remove',
  'agents.remove',
  'articles.remove',
  'bankAccounts.remove',
  'billing.invoice',
  'blockedSenders.create',
  'branches.remove',
  'bugStages.order',
  'bugStages.remove',
  'bugs.create',
  'bugs.remove',
  'calendars.remove',
  'comments.removeFromBug',
  'comments.removeFromTask',
  'commissionPlans.remove',
  'creditNotes.apply',
  'creditNotes.refund',
  'customerPayments.allocate',
  'customers.remove',
  'dealFiles.download',
  'dealProducts.remove',
  'dealStages.remove',
  'debitNotes.apply',
  'debitNotes.refund',
  'departments.remove',
  'departments.update',
  'expenseCategories.remove',
  'expenses.approve',
  'expenses.post',
  'expenses.reverse',
  'inbound.removeOne',
  'inbound.retryParked',
  'inbound.take',
  'labels.remove',
  'leadFiles.download',
  'leadProducts.remove',
  'leadStages.remove',
  'leads.removeFromBoard',
  'lightProjects.remove',
  'lightProjects.removeFile',
  'lightProjects.save',
  'lightTasks.details',
  'lightTasks.move',
  'lightTasks.remove',
  'lightTasks.save',
  'links.accept',
  'links.reset',
  'links.verifyEmail',
  'milestones.remove',
  'opportunities.remove',
  'pipelines.remove',
  'productCategories.remove',
  'products.image',
  'products.remove',
  'products.update',
  'projectClients.invite',
  'projectClients.remove',
  'projectFiles.download',
  'projectFiles.remove',
  'projectMembers.remove',
  'projects.create',
  'projects.update',
  'proposals.reject',
  'proposals.remove',
  'proposals.send',
  'proposals.update',
  'purchaseInvoices.cancel',
  'purchaseInvoices.remove',
  'purchaseInvoices.update',
  'purchaseReturns.cancel',
  'purchaseReturns.remove',
  'quotes.remove',
  'revenueCategories.remove',
  'revenues.approve',
  'revenues.post',
  'revenues.reverse',
  'roles.remove',
  'roles.update',
  'salesInvoices.cancel',
  'salesInvoices.remove',
  'salesInvoices.update',
  'salesOrders.invoice',
  'salesReturns.cancel',
  'salesReturns.remove',
  'secondFactor.confirm',
  'secondFactor.disable',
  'secondFactor.enable',
  'secondFactor.renewCodes',
  'secondFactorLogin.answer',
  'secondFactorLogin.complete',
  'secondFactorLogin.enroll',
  'sessions.end',
  'sessions.login',
  'sessions.refresh',
  'shifts.remove',
  'sources.remove',
  'supportCategories.remove',
  'taskStages.order',
  'taskStages.remove',
  'taskSubtasks.remove',
  'tasks.create',
  'tasks.move',
  'tasks.remove',
  'taxes.remove',
  'teams.remove',
  'ticketFiles.download',
  'ticketLinks.close',
  'ticketLinks.rate',
  'ticketLinks.reply',
  'ticketLinks.show',
  'ticketSteps.close',
  'ticketSteps.merge',
  'ticketSteps.rate',
  'timeEntries.exportAll',
  'timeEntries.remove',
  'timeEntries.update',
  'timesheets.reopen',
  'trackerLogin.login',
  'trackers.start',
  'trackers.stop',
  'units.remove',
  'vendorPayments.allocate',
  'vendors.remove',
  'warehouses.remove',
  'workspaces.logo',
];

const suite = await sharedSuite();
const operations = operationsIn(await apiDocument(suite.gateway));
const stock: RecordIds = new Map();
let owner: SignedIn;

beforeAll(async () => {
  const acme = await openWorkspace(suite);
  owner = acme.owner;
  const things = [...(await givenStock(owner)), ...(await trade(owner, 'fuzz'))];
  for (const [noun, ids] of things) stock.set(noun, ids);
  stock.set('user', [(await acme.hire('manager')).user.id]).set('client', [(await acme.hire('client')).user.id]);
  stock.set('role', [String(acme.roles['staff'])]);
  const missing = await createOneOfEach(owner, operations, { word: 'fuzz', stock });
  if (missing.length > 0) throw new Error(missing.join('\n'));
}, 240_000);

/** The broken promise in an answer; undefined when it is as documented. */
function breach(
  { id, method, successes, refusals }: ApiOperation,
  { about, path, body }: Strange,
  reply: Reply | string,
): string | undefined {
  const asked = `${id}: ${about}: ${method} ${path.slice(0, 200)} ${body?.slice(0, 300) ?? ''}`;
  if (typeof reply === 'string') return `${asked}\n  is answered with ${reply}`;
  const { status, body: answer } = reply;
  const got = `${asked}\n  is answered with ${status} ${JSON.stringify(answer).slice(0, 300)}`;
  if (status < 300) return successes.includes(status) ? undefined : `${got}, which is not documented`;
  if (status >= 500) return got;
  if (typeof answer !== 'object' || !answer.request_id || !answer.message) return `${got}, which is no fault of ours`;
  const told = [answer.message, ...Object.values(answer.errors ?? {}).flat()].join(' ');
  if (VALIDATORS.test(told)) return `${got}, in the validator's words`;
  if (!refusals.has(`${status} ${answer.code}`)) return `${got}, which is not documented`;
  return undefined;
}

/** A record that holds others comes before them: a label that a lead has cannot be deleted. */
const DELETED_LAST = ['lead', 'deal', 'label', 'source', 'lead_stage', 'deal_stage', 'pipeline', 'user'];

/** First what only adds, then what happens to a record once, then what removes it. */
function rank({ method, path }: ApiOperation): number {
  if (method === 'DELETE' || path.includes('delete')) return 2 + DELETED_LAST.indexOf(nounOfPath(path));
  // The operation that closes the books is asked when everybody else has booked.
  if (path.includes('period-locks')) return 0.9;
  // A return is completed or cancelled: here it is completed.
  if (path.includes('return/cancel')) return 0.1;
  return /convert|reset|logout/.test(path) ? 0.5 : 0;
}

const freshLead = async (): Promise<string> => (await owner.post('/api/lead/create', { name: 'fuzz' })).body.data.id;

/** Asks an operation strange things. @returns what broke our word, and whether anything succeeded or was refused */
async function interrogate(operation: ApiOperation) {
  // Signing out and the like may work: whoever tries them must not be the one who asks the rest.
  const isSession = operation.id.startsWith('sessions.');
  const person = isSession ? await signIn(suite.gateway, owner.email, owner.password) : owner;
  const { method, path, body: schema = {} } = operation;
  // A conversion uses its lead up.
  const ids = path.includes('convert') ? new Map([...stock, ['lead', [await freshLead()]]]) : stock;
  const isRemoval = rank(operation) >= 1;
  const tried =
    isSession || method === 'GET' || isRemoval
      ? undefined
      : await make(person, operation, { word: 'fuzz', stock: ids });
  const fit = Object.keys(tried?.body ?? schema.properties ?? {});
  const address = pathWith(path, pathIds(operation, ids) ?? {});
  const strange = [
    ...strangeRequests(operation, { stock: ids, seed: SEED, times: TIMES, fit }),
    ...unstorable(operation, address, tried?.body ?? {}),
  ];
  const replies = await inParallel(strange, WIDTH, ({ path, body, content_type }) =>
    person.send(method, path, body, { 'content-type': content_type }).catch(String),
  );
  const statuses = [tried?.reply, ...replies].map((reply) => (typeof reply === 'object' ? reply.status : 0));
  return {
    id: operation.id,
    breaches: replies.flatMap((reply, at) => breach(operation, strange[at] as Strange, reply) ?? []),
    succeeded: statuses.some((status) => status >= 200 && status < 300),
    refused: statuses.some((status) => status >= 400),
  };
}

test('strange input is refused as documented, and never breaks anything', async () => {
  const results = [];
  for (const operation of operations.toSorted((a, b) => rank(a) - rank(b))) results.push(await interrogate(operation));
  expect(results.flatMap(({ breaches }) => breaches)).toEqual([]);
  expect((await owner.get('/api/user')).status).toBe(200);
  expect((await bearer(suite.gateway).get('/openapi.json')).status).toBe(200);
  // Or the questions were not as good as they look.
  expect(results.filter(({ refused }) => !refused).map(({ id }) => id)).toEqual([]);
  const unreached = results.filter(({ succeeded }) => !succeeded).map(({ id }) => id);
  // Asked more often, a few more are reached by luck.
  const expected = OUT_OF_REACH.filter((id) => TIMES === USUAL_TIMES || unreached.includes(id));
  expect(unreached.toSorted()).toEqual(expected);
}, 600_000);
