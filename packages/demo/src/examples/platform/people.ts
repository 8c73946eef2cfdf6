/**
 * Factories for users, and example calls for accounts and workspaces. `$person` is the ID of a shared record, and
 * `$person!` the ID of a record created for the call.
 */
import { Secret, TOTP } from 'otpauth';
import type { ExampleRecorder, ExampleCall, ExampleFactory, Row } from '../recorder/recorder.ts';

/** Password of all users that examples create. */
export const PASSWORD = 'correct horse battery staple';

/** Invites a user who has not answered yet. */
const invite =
  (role: string, as = role): ExampleFactory =>
  async (recorder, serial) => {
    const { id: role_id } = (await rolesOf(recorder)).find(({ key }) => key === role)!;
    const email = `${as}.${serial}@bikes.example`;
    const user = await recorder.call('users.create', { body: { name: 'Grace Hopper', email, role_id } });
    return { ...user, email };
  };

async function rolesOf(recorder: ExampleRecorder): Promise<Row[]> {
  return (await recorder.call('roles.list', { query: { per_page: '100' } })) as unknown as Row[];
}

/** Invites a user who accepts and signs in. */
export const hire =
  (role: string, as = role): ExampleFactory =>
  async (recorder, serial) => {
    const { id, email } = await invite(role, as)(recorder, serial);
    const token = await recorder.mailed(String(email), 'accept_invitation');
    await recorder.call('links.accept', { body: { token, password: PASSWORD } });
    const session = await recorder.call('sessions.login', { body: { email, password: PASSWORD } });
    return { ...session, id, email, password: PASSWORD };
  };

const codeOf = (secret: unknown): string => new TOTP({ secret: Secret.fromBase32(String(secret)) }).generate();
export const tokenOf = ({ access_token }: Row): string => String(access_token);

/** Creates a user who has begun to set up a second factor. */
const createEnrollingUser =
  (role = 'staff', as = 'enrolling'): ExampleFactory =>
  async (recorder, serial) => {
    const person = await hire(role, as)(recorder, serial);
    const { secret } = await recorder.call('secondFactor.enable', {
      as: tokenOf(person),
      body: { password: PASSWORD },
    });
    return { ...person, code: codeOf(secret) };
  };

/** Creates a user with a second factor and a recovery code. */
const createUserWithSecondFactor =
  (role = 'staff', as = 'guarded'): ExampleFactory =>
  async (recorder, serial) => {
    const person = await createEnrollingUser(role, as)(recorder, serial);
    const { recovery_codes } = await recorder.call('secondFactor.confirm', {
      as: tokenOf(person),
      body: { code: person['code'] },
    });
    return { ...person, code: (recovery_codes as string[])[0] };
  };

/** Returns a user whose password was correct, and who needs a second factor. */
export const createChallengedUser = async (recorder: ExampleRecorder, person: Row): Promise<Row> => {
  const body = { email: person['email'], password: PASSWORD };
  return { ...person, challenge: (await recorder.refused('sessions.login', { body }))['challenge'] };
};

/** Creates a user who must set up a second factor to sign in. */
export const newcomer =
  (as = 'newcomer'): ExampleFactory =>
  async (recorder, serial) => {
    const person = await hire('staff', as)(recorder, serial);
    const { access_token } = await recorder.shared('guardian');
    const require = (isRequired: boolean) =>
      recorder.call('workspaces.update', { as: String(access_token), body: { second_factor_required: isRequired } });
    await require(true);
    const request = await createChallengedUser(recorder, person);
    await require(false);
    return request;
  };

const newEmailOf = ({ email }: Row): string => `moved.${String(email)}`;

/** Creates a user who has requested a link. */
const createLinkRequester =
  (purpose: string, ask: (recorder: ExampleRecorder, person: Row) => Promise<unknown>): ExampleFactory =>
  async (recorder, serial) => {
    const person = await hire('staff', purpose.split('_')[0])(recorder, serial);
    await ask(recorder, person);
    const to = purpose === 'verify_email' ? newEmailOf(person) : String(person['email']);
    return { ...person, link: await recorder.mailed(to, purpose) };
  };

export const people: Record<string, ExampleFactory> = {
  user: hire('staff', 'user'),
  person: hire('staff'),
  colleague: hire('manager'),
  client: hire('client'),
  vendor_user: hire('vendor'),
  invited: async (recorder, serial) => {
    const user = await invite('staff', 'invited')(recorder, serial);
    return { ...user, link: await recorder.mailed(String(user['email']), 'accept_invitation') };
  },
  forgetful: createLinkRequester('reset_password', (recorder, { email }) =>
    recorder.call('links.forgot', { body: { email } }),
  ),
  moving: createLinkRequester('verify_email', (recorder, person) => {
    const body = { email: newEmailOf(person), current_password: PASSWORD };
    return recorder.call('account.editProfile', { as: String(person['access_token']), body });
  }),
  moved: async (recorder, serial) => {
    const person = await hire('staff', 'moved')(recorder, serial);
    await recorder.call('users.update', { path: { id: String(person['id']) }, body: { email: newEmailOf(person) } });
    return { ...person, link: await recorder.mailed(String(person['email']), 'approve_email') };
  },
  enrolling: createEnrollingUser(),
  guarded: createUserWithSecondFactor(),
  guardian: createUserWithSecondFactor('owner', 'guardian'),
  joint_owner: hire('owner', 'joint-owner'),
  challenged: async (recorder, serial) =>
    createChallengedUser(recorder, await createUserWithSecondFactor('staff', 'challenged')(recorder, serial)),
  newcomer: newcomer(),
  enrolled: async (recorder, serial) => {
    const person = await newcomer('enrolled')(recorder, serial);
    const { secret } = await recorder.call('secondFactorLogin.enroll', {
      as: '',
      body: { challenge: person['challenge'] },
    });
    return { ...person, code: codeOf(secret) };
  },
  session: async (recorder, serial) => {
    const { email, access_token } = await hire('staff', 'signed.in')(recorder, serial);
    await recorder.call('sessions.login', { body: { email, password: PASSWORD } });
    const sessions = await recorder.call('sessions.list', { as: String(access_token) });
    return { ...(sessions as unknown as Row[]).find(({ current }) => !current)!, access_token };
  },
  own_role: (recorder, serial) =>
    recorder.call('roles.create', { body: { name: `Apprentice ${serial}`, permissions: ['lead.view'] } }),
  team: async (recorder, serial) => {
    const { id } = await hire('sales', 'seller')(recorder, serial);
    return await recorder.call('teams.create', { body: { name: `Team ${serial}`, member_ids: [id] } });
  },
  empty_team: (recorder, serial) => recorder.call('teams.create', { body: { name: `Empty team ${serial}` } }),
  role: async (recorder) => (await rolesOf(recorder)).find(({ key }) => key === 'staff')!,
  api_key: (recorder, serial) =>
    recorder.call('apiKeys.create', { body: { name: `Shop ${serial}`, scopes: ['lead.view'] } }),
  photo: async (recorder) => {
    const { photo_url, photo_thumbnail_url } = await recorder.call('account.uploadPhotos');
    const [token, small] = [photo_url, photo_thumbnail_url].map((url) => String(url).split('/').at(-1) ?? '');
    const [key] = JSON.parse(Buffer.from(small!.split('.')[0]!, 'base64url').toString());
    return { id: '', token, avatar: String(key).replace('/', '.') };
  },
  logo: async (recorder) => {
    const { logo_url } = await recorder.call('workspaces.uploadLogo');
    return { id: '', token: String(logo_url).split('/').at(-1) };
  },
};

export const peopleCalls: Record<string, ExampleCall> = {
  'sessions.login': { as: '', body: { email: '$person!.email', password: PASSWORD } },
  'sessions.logout': { as: '$person!.access_token' },
  'sessions.refresh': { as: '', body: { refresh_token: '$person!.refresh_token' } },
  'sessions.end': { as: '$session!.access_token', path: { id: '$session!' } },
  'secondFactor.enable': { as: '$person!.access_token', body: { password: PASSWORD } },
  'secondFactor.confirm': { as: '$enrolling!.access_token', body: { code: '$enrolling!.code' } },
  'secondFactor.disable': { as: '$guarded!.access_token', body: { password: PASSWORD, code: '$guarded!.code' } },
  'secondFactor.renewCodes': { as: '$guarded!.access_token', body: { password: PASSWORD, code: '$guarded!.code' } },
  'secondFactorLogin.answer': { as: '', body: { challenge: '$challenged!.challenge', code: '$challenged!.code' } },
  'secondFactorLogin.enroll': { as: '', body: { challenge: '$newcomer!.challenge' } },
  'secondFactorLogin.complete': { as: '', body: { challenge: '$enrolled!.challenge', code: '$enrolled!.code' } },
  'roles.create': {
    body: { name: 'Apprentice', permissions: ['lead.view', 'lead.create'], record_scopes: { lead: 'own' } },
  },
  'roles.update': { path: { id: '$own_role!' }, body: { name: 'Junior sales' } },
  'roles.remove': { path: { id: '$own_role!' } },
  'teams.create': { body: { name: 'Road bikes', member_ids: ['$person!', '$colleague!'] } },
  'teams.update': { path: { id: '$team!' }, body: { name: 'Touring bikes', member_ids: ['$person!'] } },
  'teams.remove': { path: { id: '$empty_team!' } },
  'account.changePassword': {
    as: '$person!.access_token',
    body: { current_password: PASSWORD, password: 'a bicycle made for two' },
  },
  'account.editProfile': { body: { phone: '+44 20 7946 0018', locale: 'en-GB', timezone: 'Europe/London' } },
  'account.remove': { as: '$person!.access_token', body: { password: PASSWORD } },
  'account.photo': { as: '', path: { token: '$photo.token' } },
  'account.avatar': { as: '', path: { token: '$photo.avatar' } },
  'history.list': { query: { record_type: 'crm.lead', record_id: '$lead' } },
  'changes.list': { query: { type: 'crm.lead', limit: '2' } },
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
  'links.approveChange': { as: '', body: { token: '$moved!.link' } },
  'links.rejectChange': { as: '', body: { token: '$moved!.link' } },
  'links.verifyEmail': { as: '', body: { token: '$moving!.link' } },
  'links.page': { as: '' },
};
