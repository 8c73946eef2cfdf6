/** Recipes for people, and calls about accounts and workspaces. */
import type { Bench, Call, Recipe, Row } from './bench.ts';

const PASSWORD = 'correct horse battery staple';

/** Invites somebody who has not answered yet. */
const invite =
  (role: string, as = role): Recipe =>
  async (bench, serial) => {
    const { id: role_id } = (await rolesOf(bench)).find(({ key }) => key === role)!;
    const email = `${as}.${serial}@bikes.example`;
    const user = await bench.call('users.create', { body: { name: 'Grace Hopper', email, role_id } });
    return { ...user, email };
  };

async function rolesOf(bench: Bench): Promise<Row[]> {
  return (await bench.call('roles.list', { query: { per_page: '100' } })) as unknown as Row[];
}

/** Invites somebody who accepts and signs in. */
const hire =
  (role: string, as = role): Recipe =>
  async (bench, serial) => {
    const { id, email } = await invite(role, as)(bench, serial);
    const token = await bench.mailed(String(email), 'accept_invitation');
    await bench.call('links.accept', { body: { token, password: PASSWORD } });
    const session = await bench.call('sessions.login', { body: { email, password: PASSWORD } });
    return { ...session, id, email, password: PASSWORD };
  };

const movedFrom = ({ email }: Row): string => `moved.${String(email)}`;

/** Somebody who has asked for a link. */
const asked =
  (purpose: string, ask: (bench: Bench, person: Row) => Promise<unknown>): Recipe =>
  async (bench, serial) => {
    const person = await hire('staff', purpose.split('_')[0])(bench, serial);
    await ask(bench, person);
    const to = purpose === 'verify_email' ? movedFrom(person) : String(person['email']);
    return { ...person, link: await bench.mailed(to, purpose) };
  };

export const people: Record<string, Recipe> = {
  user: hire('staff', 'user'),
  person: hire('staff'),
  colleague: hire('manager'),
  client: hire('client'),
  vendor_user: hire('vendor'),
  invited: async (bench, serial) => {
    const user = await invite('staff', 'invited')(bench, serial);
    return { ...user, link: await bench.mailed(String(user['email']), 'accept_invitation') };
  },
  forgetful: asked('reset_password', (bench, { email }) => bench.call('links.forgot', { body: { email } })),
  moving: asked('verify_email', (bench, person) => {
    const body = { email: movedFrom(person), current_password: PASSWORD };
    return bench.call('account.editProfile', { as: String(person['access_token']), body });
  }),
  role: async (bench) => (await rolesOf(bench)).find(({ key }) => key === 'staff')!,
  api_key: (bench, serial) => bench.call('apiKeys.create', { body: { name: `Shop ${serial}`, scopes: ['lead.view'] } }),
  photo: async (bench) => {
    const { photo_url } = await bench.call('account.uploadPhotos');
    return { id: '', token: String(photo_url).split('/').at(-1) };
  },
  logo: async (bench) => {
    const { logo_url } = await bench.call('workspaces.uploadLogo');
    return { id: '', token: String(logo_url).split('/').at(-1) };
  },
};

export const peopleCalls: Record<string, Call> = {
  'sessions.login': { as: '', body: { email: '$person!.email', password: PASSWORD } },
  'sessions.logout': { as: '$person!.access_token' },
  'sessions.refresh': { as: '', body: { refresh_token: '$person!.refresh_token' } },
  'account.changePassword': {
    as: '$person!.access_token',
    body: { current_password: PASSWORD, password: 'a bicycle made for two' },
  },
  'account.editProfile': { body: { phone: '+44 20 7946 0018', locale: 'en-GB', timezone: 'Europe/London' } },
  'account.remove': { as: '$person!.access_token', body: { password: PASSWORD } },
  'account.photo': { as: '', path: { token: '$photo.token' } },
  'apiKeys.create': { body: { name: 'Web shop', scopes: ['lead.view', 'lead.create'] } },
  'users.create': {
    body: { name: 'Ada Lovelace', email: 'ada@bikes.example', phone: '+44 20 7946 0018', role_id: '$role' },
  },
  'users.update': { body: { name: 'Grace Murray Hopper', timezone: 'America/New_York' } },
  'users.verify': { path: { id: '$invited!' } },
  'workspaces.update': {
    body: {
      address: '1 High Street\nLondon EC1A 1AA',
      tax_number: 'GB123456789',
      letter_footer: 'Thank you for riding.',
    },
  },
  'workspaces.logo': { as: '', path: { token: '$logo.token' } },
  'links.accept': { as: '', body: { token: '$invited!.link', password: PASSWORD } },
  'links.forgot': { as: '', body: { email: '$person!.email' } },
  'links.reset': { as: '', body: { token: '$forgetful!.link', password: 'a bicycle made for two' } },
  'links.verifyEmail': { as: '', body: { token: '$moving!.link' } },
  'links.page': { as: '' },
};
