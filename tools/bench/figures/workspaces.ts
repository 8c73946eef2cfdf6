/** Measures many concurrent workspaces against one: state per workspace must not slow the others. */
import type { BenchFixture } from '../fixture/fixture.ts';
import { callerOf, makeWorkspace, type Workspace } from '../fixture/workspace.ts';
import { type Figure, alternate, throughput } from '../report/figure.ts';
import { repeatRequest, type Side } from './works.ts';

const WORKSPACES = 200;
const TURNS = { seconds: 2, warm_up_s: 1.5 };

/** Calls crm directly on behalf of each workspace in rotation: signing in to all of them would take minutes. */
function rotateRequests(
  { load, service, serviceToken }: BenchFixture,
  workspaces: readonly Workspace[],
  body?: object,
): Side {
  const path = body ? '/api/lead/create' : '/api/leads?status=open&sort=-created_at&per_page=20';
  return repeatRequest(load, () => ({
    url: `${service('crm')}${path}`,
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    turns: workspaces.map((workspace) => ({
      headers: { authorization: serviceToken('crm', callerOf(workspace)) },
    })),
  }));
}

export async function workspaces(fixture: BenchFixture): Promise<Figure[]> {
  const { service, serviceToken } = fixture;
  const made: Workspace[] = [];
  while (made.length < WORKSPACES)
    made.push(await makeWorkspace(service('crm'), (caller) => serviceToken('crm', caller)));
  const lead = { name: 'Grace Hopper', email: 'grace@example.com' };
  const [manyCreate = [], oneCreates = [], manyList = [], oneLists = []] = await alternate(
    [
      rotateRequests(fixture, made, lead),
      rotateRequests(fixture, made.slice(0, 1), lead),
      rotateRequests(fixture, made),
      rotateRequests(fixture, made.slice(0, 1)),
    ],
    TURNS,
  );
  return [
    throughput(
      {
        figure: 'workspaces-create',
        title: `Throughput of \`POST /api/lead/create\` for ${WORKSPACES} concurrent workspaces, against one`,
        target: { at_least: 1 },
      },
      manyCreate,
      oneCreates,
    ),
    throughput(
      {
        figure: 'workspaces-list',
        title: `Throughput of \`GET /api/leads\` for ${WORKSPACES} concurrent workspaces, against one`,
        target: { at_least: 1 },
      },
      manyList,
      oneLists,
    ),
  ];
}
