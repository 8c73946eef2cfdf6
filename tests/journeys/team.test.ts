/** A team at work: its lead sees the records of its members, from the time they join until they leave. */
import { beforeAll, expect, test } from '@jest/globals';
import { waitFor } from '@suite/testing/waiting';
import type { HttpCaller } from '@suite/testing';
import type { SignedIn } from '@suite/testing/suite/http-caller';
import { useSharedSuite } from '@suite/testing/suite/started';
import { openWorkspace, type Workspace } from '@suite/testing/suite/workspace';

const suite = await useSharedSuite();
let acme: Workspace;
let team: { id: string; member_ids: string[] };
let lead: SignedIn;
let people: SignedIn[];
let outsider: SignedIn;

/** Returns the names of the leads that a user sees. */
async function leadsOf(person: HttpCaller): Promise<string[]> {
  const { body } = await person.get('/api/leads?per_page=100&sort=name');
  return body.data.map(({ name }: { name: string }) => name);
}

const idOf = ({ user }: SignedIn): string => user.id;
const setMembers = async (members: SignedIn[]): Promise<void> => {
  await acme.owner.post(`/api/teams/update/${team.id}`, { member_ids: members.map(idOf) });
};

beforeAll(async () => {
  acme = await openWorkspace(suite);
  const rights = {
    permissions: ['lead', 'deal'].flatMap((noun) => ['view', 'create', 'update'].map((verb) => `${noun}.${verb}`)),
    record_scopes: { lead: 'team', deal: 'team' },
  };
  const asked = { name: 'Sales lead', ...rights, permissions: [...rights.permissions, 'lead.convert', 'stage.view'] };
  acme.roles['sales_lead'] = (await acme.owner.post('/api/roles/create', asked)).body.data.id;
  lead = await acme.hire('sales_lead', 'Lea');
  people = [await acme.hire('sales', 'Ann'), await acme.hire('sales', 'Bob')];
  outsider = await acme.hire('sales', 'Eve');
  for (const person of [...people, outsider]) {
    await person.post('/api/lead/create', { name: `Lead of ${person.user.name}` });
  }
  const created = await acme.owner.post('/api/teams/create', {
    name: 'Coast',
    member_ids: [lead, ...people].map(idOf),
  });
  team = created.body.data;
  await acme.owner.post('/api/teams/create', { name: 'Hills', member_ids: [idOf(outsider)] });
}, 600_000);

test('a sales lead sees the leads of the team members, and no others', async () => {
  await waitFor(async () => expect(await leadsOf(lead)).toEqual(['Lead of Ann', 'Lead of Bob']), 1_000);
  expect(await leadsOf(people[0]!)).toEqual(['Lead of Ann']);
  const hidden = (await outsider.get('/api/leads')).body.data[0].id;
  for (const reply of [
    await lead.get(`/api/lead/show/${hidden}`),
    await lead.post(`/api/lead/update/${hidden}`, { notes: 'Mine now' }),
    await lead.get(`/api/lead-timeline/${hidden}`),
  ])
    expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } });
  const stages = (await lead.get('/api/lead-stages')).body.data as { lead_count: number }[];
  expect(stages.reduce((sum, { lead_count }) => sum + lead_count, 0)).toBe(2);
});

test('a new member shows their leads within a second, a leaving one hides them', async () => {
  const [ann, bob] = people as [SignedIn, SignedIn];
  await setMembers([lead, ann]);
  await waitFor(async () => expect(await leadsOf(lead)).toEqual(['Lead of Ann']), 1_000);
  await setMembers([lead, ann, bob]);
  await waitFor(async () => expect(await leadsOf(lead)).toEqual(['Lead of Ann', 'Lead of Bob']), 1_000);
});

test('a team of a hundred works across services', async () => {
  await suite.sql(
    'platform',
    `WITH mates AS (
       INSERT INTO users (id, workspace_id, name, email, kind, role_id, status)
       SELECT gen_random_uuid(), $1::uuid, 'Mate ' || number, 'mate-' || number || '@' || $1 || '.test', 'staff', $2::uuid, 'active'
       FROM generate_series(1, 97) AS number RETURNING id)
     INSERT INTO team_members (id, workspace_id, team_id, user_id) SELECT gen_random_uuid(), $1::uuid, $3::uuid, id FROM mates`,
    [acme.id, acme.roles['sales'], team.id],
  );
  const renamed = await acme.owner.post(`/api/teams/update/${team.id}`, { name: 'Large' });
  expect(renamed.body.data.member_ids).toHaveLength(100);
  const { id } = (await lead.get('/api/leads?name=Lead%20of%20Ann')).body.data[0];
  const client = { name: 'Cleo', email: `cleo@${acme.id}.test` };
  expect((await lead.post(`/api/lead/convert-to-deal/${id}`, { client })).status).toBe(201);
}, 240_000);
