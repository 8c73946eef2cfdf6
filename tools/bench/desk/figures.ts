/**
 * The cost of projects and support: lists and boards of tasks, tickets, new ones, and timers. Compares few records with
 * a million.
 */
import { randomUUID } from 'node:crypto';
import type { Caller } from '@suite/chassis/gateway';
import type { Business } from '../fixture/business.ts';
import { BOARD_CARDS } from '../fixture/board-cards.ts';
import { type Desk, openDesk } from './records.ts';
import type { BenchFixture } from '../fixture/fixture.ts';
import { median } from '../load/median.ts';
import { cost, type Figure, alternate, throughput } from '../report/figure.ts';
import { gatewayUrl, type Request, type Sides, sidesOf } from '../figures/sides.ts';
import { CONNECTIONS, compare, repeatRequest } from '../figures/works.ts';

/** The size of a business: posted invoices, tasks and tickets. */
const FEW = { posted: 10_000, rows: 10_000 };
const MANY = { posted: 1_000, rows: 1_000_000 };
const LIST = '?sort=-created_at&per_page=20';
const PER_COLUMN = '?per_column=20';
const WHOLE = `?per_column=${BOARD_CARDS}`;
const TICKETS = `/api/support-ticket/tickets${LIST}&status=open`;
const DUE_NEXT = '/api/support-ticket/tickets?view=due_next&per_page=20';
const TASK = { title: 'Draw the page', description: 'In two colours.', due_date: '2099-01-31' };
const TICKET = {
  subject: 'It blinks',
  description: 'Since this morning.',
  requester: { name: 'Rita', email: 'rita@example.com' },
  // Without this, an e-mail would be sent later, during another measurement.
  silent: true,
};

const desks = new Map<Business, Promise<Desk>>();

/** Returns a business with the given number of tasks and tickets. */
async function businessWithDesk(fixture: BenchFixture, { posted, rows }: typeof FEW) {
  const business = await fixture.business(posted);
  const opening = desks.get(business) ?? openDesk(fixture.suite, business, rows);
  desks.set(business, opening);
  return { business, desk: await opening };
}

/** Returns the suite's paths of a desk. */
const pathsOf = ({ project_id, board_id }: Desk) => ({
  tasks: `/api/lightproj/projects/${project_id}/tasks${LIST}`,
  board: `/api/project/${project_id}/task-board${PER_COLUMN}`,
  whole: `/api/project/${board_id}/task-board${WHOLE}`,
  newTask: `/api/project/${board_id}/task/create`,
});

/** Measures a board of 500 cards without other requests. */
async function wholeBoard({ load }: BenchFixture, sides: Sides, path: string): Promise<Figure> {
  const request = { ...(await sides.ours(path)), connections: 1 };
  const [rounds = []] = await alternate([(seconds) => load.fire(request, seconds)], { seconds: 2 });
  const took = rounds.map(({ median_ms }) => Math.round(median_ms * 100) / 100);
  return {
    figure: 'board-whole',
    title: `Median time of a board of ${BOARD_CARDS} cards through the gateway, one caller`,
    value: median(took),
    unit: 'ms',
    target: { at_most: 60 },
    rounds: { measured: took, baseline: [] },
  };
}

/**
 * Measures sixteen users who each start one timer after the other on one project. Each start stops the previous timer.
 */
async function measureTimeTracking(
  { load, service, serviceToken }: BenchFixture,
  { caller }: Business,
  { board_id }: Desk,
) {
  const people = Array.from({ length: CONNECTIONS }, (): Caller => ({ ...caller, user_id: randomUUID() }));
  const by = (who: readonly Caller[]) =>
    repeatRequest(load, () => ({
      url: `${service('projects')}/api/add-tracker`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ project_id: board_id }),
      turns: who.map((one) => ({ headers: { authorization: serviceToken('projects', one) } })),
    }));
  const [all = [], one = []] = await alternate([by(people), by(people.slice(0, 1))], { seconds: 2, warm_up_s: 1.5 });
  return throughput(
    {
      figure: 'tracking',
      title: 'Throughput of starting timers by 16 concurrent users on one project, without errors, against one user',
      target: { at_least: 1.3 },
    },
    all,
    one,
  );
}

export async function desk(fixture: BenchFixture): Promise<Figure[]> {
  const { business, desk: ours } = await businessWithDesk(fixture, FEW);
  const sides = await sidesOf(fixture, business);
  const { tasks, board, whole, newTask } = pathsOf(ours);
  const { project_id, board_id } = sides.bareStack;
  const [inProject, inBoard] = [`/projects/${project_id}`, `/projects/${board_id}`];
  return [
    await compare(fixture, sides, {
      figure: 'task-list',
      title: '`GET /api/lightproj/projects/{project}/tasks` (20 of 10 000, sorted, with the total)',
      path: tasks,
      bare: `${inProject}/tasks${LIST}`,
    }),
    await compare(fixture, sides, {
      figure: 'task-board',
      title: '`GET /api/project/{id}/task-board` (10 000 tasks, 20 of each column)',
      path: board,
      bare: `${inProject}/board${PER_COLUMN}`,
    }),
    await compare(fixture, sides, {
      figure: 'ticket-list',
      title: '`GET /api/support-ticket/tickets` (20 of 10 000, filtered, sorted, with the total)',
      path: TICKETS,
      bare: `/tickets${LIST}&status=open`,
    }),
    await wholeBoard(fixture, sides, whole),
    await compare(fixture, sides, {
      figure: 'task-create',
      title: '`POST /api/project/{id}/task/create`',
      path: newTask,
      bare: `${inBoard}/tasks`,
      body: TASK,
    }),
    await compare(fixture, sides, {
      figure: 'ticket-create',
      title: '`POST /api/support-ticket/ticket/store`',
      path: '/api/support-ticket/ticket/store',
      bare: '/tickets',
      body: TICKET,
    }),
    await measureTimeTracking(fixture, business, ours),
  ];
}

/** Compares a million tasks and tickets with 10 000: the first page of each list, and the board. */
export async function deskScale(fixture: BenchFixture): Promise<Figure[]> {
  const requestsOf = async (size: typeof FEW) => {
    const { business, desk: of } = await businessWithDesk(fixture, size);
    const { tasks, board } = pathsOf(of);
    return [tasks, board, TICKETS, DUE_NEXT].map((path) => async (): Promise<Request> => {
      const headers = { authorization: await business.authorization() };
      return { url: `${gatewayUrl(fixture.suite)}${path}`, headers };
    });
  };
  const [many, few] = [await requestsOf(MANY), await requestsOf(FEW)];
  const rounds = await alternate(
    [...many, ...few].map((request) => repeatRequest(fixture.load, request)),
    { seconds: 3 },
  );
  const atScale = (name: string, title: string, at: number): Figure =>
    cost(
      {
        figure: `desk-scale-${name}`,
        title: `Cost of ${title} at 1 000 000, first page, against 10 000`,
        at_most: 1.5,
      },
      rounds[at] ?? [],
      rounds[at + many.length] ?? [],
    );
  return [
    atScale('tasks', '`GET /api/lightproj/projects/{project}/tasks`', 0),
    atScale('board', '`GET /api/project/{id}/task-board`', 1),
    atScale('tickets', '`GET /api/support-ticket/tickets`', 2),
    atScale('due-next', '`GET /api/support-ticket/tickets?view=due_next`', 3),
  ];
}
