/** Platform, as far as its neighbours ask it: who is a user of a workspace, and what its letters show. */
import { randomUUID } from 'node:crypto';
import { type Caller, Fault, invalid } from '@suite/chassis';
import {
  type BatchGetRightsRequest,
  type EnsureStaffUserRequest,
  type GetWorkspaceRequest,
  type GetWorkspaceResponse,
  PlatformServiceDefinition,
  type SignInToTrackRequest,
  type SignInToTrackResponse,
  type User,
  type UserRights,
} from '@suite/proto/platform/v1/platform';
import { makeCaller } from '../member.ts';
import { rowsOf, standIn } from './stand-in.ts';

/** Somebody whom platform knows. */
export type Resident = User & { workspace: string };
/** The rights of somebody, or that nobody can be asked for them. */
type RightsOf = Partial<UserRights> | 'down';

/** Answers what users may do: nothing, where no test says otherwise. */
const rightsAnswers = (residents: ReadonlyMap<string, Resident>, rights: ReadonlyMap<string, RightsOf>) => ({
  async batchGetRights({ user_ids }: BatchGetRightsRequest, { caller }: { caller: Caller | null }) {
    if (user_ids.some((id) => rights.get(id) === 'down'))
      throw new Fault(503, 'platform_unavailable', 'The platform service does not answer.');
    const active = rowsOf(residents, caller?.workspace_id, user_ids).filter(({ status }) => status === 'active');
    const none = {
      role: '',
      permissions: [],
      record_scopes: {},
      modules: [],
      timezone: 'UTC',
      currency: 'EUR',
      team: [],
    };
    return { users: active.map((user) => ({ ...none, user, ...(rights.get(user.user_id) as Partial<UserRights>) })) };
  },
});

/** Answers for the colleagues that hr has made. */
const staffAnswers = ({
  residents,
  calls,
  staff,
}: {
  residents: Map<string, Resident>;
  calls: string[];
  staff: { refusal?: Fault };
}) => ({
  async ensureStaffUser({ name, email, role_key }: EnsureStaffUserRequest, { caller }: { caller: Caller | null }) {
    calls.push(`ensureStaffUser ${email} ${role_key}`);
    if (staff.refusal) throw staff.refusal;
    const workspace = caller?.workspace_id ?? '';
    const known = rowsOf(residents, workspace).find((user) => user.email === email);
    if (known && known.kind !== 'staff' && known.kind !== 'owner')
      throw invalid('email', 'This address belongs to somebody who does not work here.');
    if (known) return { user: known, created: false };
    const user = { user_id: randomUUID(), name, email, phone: '', kind: 'staff', status: 'invited', workspace };
    residents.set(user.user_id, user);
    return { user, created: true };
  },
});

/** Answers what is on in a workspace: everything, where no test says otherwise. */
const workspaceAnswers = (workspaces: ReadonlyMap<string, Partial<GetWorkspaceResponse>>) => ({
  async getWorkspace({ workspace_id }: GetWorkspaceRequest) {
    return { active: true, modules: [...makeCaller({}).modules], country: '', ...workspaces.get(workspace_id) };
  },
});

/** Answers with the head of letters, unless nobody can be asked. */
const letterAnswers = <Head>(letters: { asked: number; down: boolean; head: Head }) => ({
  async getLetterhead() {
    if (letters.down) throw new Fault(503, 'platform_unavailable', 'The platform service does not answer.');
    letters.asked += 1;
    return letters.head;
  },
});

/** The settings that a test may make of platform, and the server that answers for it. */
export function platformStandIn() {
  const residents = new Map<string, Resident>();
  const calls: string[] = [];
  /** The rights that users have, or that they cannot be asked for by whoever asks; none by default. */
  const rights = new Map<string, RightsOf>();
  const head = { name: 'Northwind GmbH', address: 'Speicherstraße 12\n20457 Hamburg', tax_number: 'DE 123 456 789' };
  const letters = { asked: 0, down: false, head: { ...head, footer: 'IBAN DE89 3704', logo: Buffer.alloc(0) } };
  /** The fault with which a new colleague is refused. */
  const staff: { refusal?: Fault } = {};
  /** Workspaces that do not work, or have other modules; the others have all of them. */
  const workspaces = new Map<string, Partial<GetWorkspaceResponse>>();
  const strangers = {
    admit: (_: SignInToTrackRequest): Promise<SignInToTrackResponse> =>
      Promise.reject(new Fault(401, 'wrong_credentials', 'The e-mail address or the password is not right.')),
  };
  const served = standIn(
    PlatformServiceDefinition,
    {
      async batchGetUsers({ user_ids }, { caller }) {
        calls.push('batchGetUsers');
        return { users: rowsOf(residents, caller?.workspace_id, user_ids) };
      },
      ...rightsAnswers(residents, rights),
      async ensureClientUser({ name, email, phone }, { caller }) {
        calls.push(`ensureClientUser ${email}`);
        const workspace = caller?.workspace_id ?? '';
        const known = rowsOf(residents, workspace).find((user) => user.email === email);
        if (known && known.kind !== 'client')
          throw invalid('email', 'This address belongs to somebody who is not a client.');
        if (known) return { user: known, created: false };
        const user = {
          user_id: randomUUID(),
          name,
          email,
          phone,
          kind: 'client',
          status: 'invited',
          workspace,
        };
        residents.set(user.user_id, user);
        return { user, created: true };
      },
      ...staffAnswers({ residents, calls, staff }),
      ...workspaceAnswers(workspaces),
      signInToTrack: (asked) => strangers.admit(asked),
      ...letterAnswers(letters),
    },
    ['batchGetRights'],
  );
  /** Registers somebody in a workspace; returns the user id. */
  function hire(workspace: string, more: Partial<User> = {}): string {
    const user_id = more.user_id ?? randomUUID();
    const usual = { name: 'Robin Example', email: `${user_id}@example.com`, phone: '' };
    residents.set(user_id, { ...usual, kind: 'staff', status: 'active', ...more, user_id, workspace });
    return user_id;
  }
  return { residents, rights, calls, letters, staff, strangers, workspaces, hire, served };
}
