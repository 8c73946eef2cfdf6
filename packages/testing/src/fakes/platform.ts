/** Fake of platform for other services: the users of a workspace, and the letterhead of its PDFs. */
import { randomUUID } from 'node:crypto';
import { Fault, invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import {
  type BatchGetRightsRequest,
  type EnsureClientUserRequest,
  type EnsureStaffUserRequest,
  type GetWorkspaceRequest,
  type GetWorkspaceResponse,
  type PrepareEmailRequest,
  type PrepareEmailResponse,
  PlatformServiceDefinition,
  type ReportStorageRequest,
  type ReportStorageResponse,
  type SendSmsRequest,
  type SendSmsResponse,
  type SignInToTrackRequest,
  type SignInToTrackResponse,
  type User,
  type UserRights,
} from '@suite/proto/platform/v1/platform';
import { latestCallers, makeCaller } from '../member.ts';
import { rowsOf, fakeServer } from './fake-server.ts';

/** A user of the fake platform. */
export type WorkspaceUser = User & { workspace: string };
/** Rights of a user, or `down` if the request fails. */
type RightsOf = Partial<UserRights> | 'down';

/** Returns the rights of a user that a test has created as a caller in this workspace, if any. */
function rightsOfCaller(user_id: string, workspace: string | undefined): Partial<UserRights> | undefined {
  const caller = latestCallers.get(user_id);
  if (!caller || caller.workspace_id !== workspace) return undefined;
  const { user_name: name, kind, role, permissions, record_scopes, modules, timezone, currency, team = [] } = caller;
  const user = { user_id, name, kind, email: '', phone: '', status: 'active', email_verified: true };
  const rights = { role, permissions: [...permissions], record_scopes, modules: [...modules], timezone, currency };
  return { ...rights, user, team: [...team] };
}

/** Returns the fake rights methods. Users have the rights of the test's caller, or none, unless a test sets others. */
const rightsMethods = (residents: ReadonlyMap<string, WorkspaceUser>, rights: ReadonlyMap<string, RightsOf>) => ({
  async batchGetRights({ user_ids }: BatchGetRightsRequest, { caller }: { caller: Caller | null }) {
    if (user_ids.some((id) => rights.get(id) === 'down'))
      throw new Fault(503, 'platform_unavailable', 'The platform service is unavailable. Try again shortly.');
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
    const workspace = caller?.workspace_id;
    const residing = active.map((user) => ({
      ...none,
      ...rightsOfCaller(user.user_id, workspace),
      ...(rights.get(user.user_id) as Partial<UserRights>),
      user,
    }));
    const others = user_ids.filter((id) => !residents.has(id)).flatMap((id) => rightsOfCaller(id, workspace) ?? []);
    return { users: [...residing, ...others.map((one) => ({ ...none, ...one }))] };
  },
});

/** Returns the fake methods for clients that other services create. */
const clientMethods = (residents: Map<string, WorkspaceUser>, calls: string[]) => ({
  async ensureClientUser(
    { name, email, phone, password }: EnsureClientUserRequest,
    { caller }: { caller: Caller | null },
  ) {
    calls.push(`ensureClientUser ${email}`);
    const workspace = caller?.workspace_id ?? '';
    const known = rowsOf(residents, workspace).find((user) => user.email === email);
    if (known && known.kind !== 'client')
      throw invalid('email', 'This address belongs to a user who is not a client. Use another address.');
    if (known && password)
      throw new Fault(422, 'client_has_account', 'This client already has an account. Omit the password.');
    if (known) return { user: known, created: false };
    const user = { user_id: randomUUID(), name, email, phone, kind: 'client', status: 'invited', workspace };
    residents.set(user.user_id, user);
    return { user, created: true };
  },
});

/** Returns the fake methods for staff users that hr creates. */
const staffMethods = ({
  residents,
  calls,
  staff,
}: {
  residents: Map<string, WorkspaceUser>;
  calls: string[];
  staff: { refusal?: Fault };
}) => ({
  async ensureStaffUser(
    { name, email, role_key, dry_run }: EnsureStaffUserRequest,
    { caller }: { caller: Caller | null },
  ) {
    calls.push(`ensureStaffUser ${email} ${role_key}`);
    if (staff.refusal) throw staff.refusal;
    const workspace = caller?.workspace_id ?? '';
    const known = rowsOf(residents, workspace).find((user) => user.email === email);
    if (known && known.kind !== 'staff' && known.kind !== 'owner')
      throw invalid('email', 'This address belongs to a user who is not staff. Use another address.');
    if (known) return { user: known, created: false };
    const user = { user_id: randomUUID(), name, email, phone: '', kind: 'staff', status: 'invited', workspace };
    if (!dry_run) residents.set(user.user_id, user);
    return { user, created: true };
  },
});

/** Answers which modules a workspace has. Defaults to all modules. */
const workspaceMethods = (workspaces: ReadonlyMap<string, Partial<GetWorkspaceResponse>>) => ({
  async getWorkspace({ workspace_id }: GetWorkspaceRequest) {
    const modules = [...makeCaller({}).modules, 'hrm', 'support'];
    return { active: true, modules, country: '', ...workspaces.get(workspace_id) };
  },
});

/** Answers the storage of other services and the limit of the plan. Defaults to nothing and no limit. */
const storageMethods = (storage: ReadonlyMap<string, Partial<ReportStorageResponse> | 'down'>, calls: string[]) => ({
  async reportStorage({ workspace_id, bytes }: ReportStorageRequest): Promise<ReportStorageResponse> {
    const answer = storage.get(workspace_id);
    if (answer === 'down')
      throw new Fault(503, 'platform_unavailable', 'The platform service is unavailable. Try again shortly.');
    calls.push(`reportStorage ${workspace_id} ${bytes}`);
    return { elsewhere_bytes: '0', allowed_mb: undefined, ...answer };
  },
});

/** Counts the recipients of e-mails. Sending is allowed by default. */
const emailMethods = (emails: { recipients: Map<string, number>; terms: Partial<PrepareEmailResponse> }) => ({
  async prepareEmail({ workspace_id, recipients }: PrepareEmailRequest): Promise<PrepareEmailResponse> {
    const usual = { workspace_name: 'Northwind', reply_to: 'owner@northwind.test', links: {}, retry_after_s: 0 };
    const terms = { ...usual, ...emails.terms };
    if (recipients === 0) return { ...terms, retry_after_s: 0 };
    if (terms.retry_after_s === 0)
      emails.recipients.set(workspace_id, (emails.recipients.get(workspace_id) ?? 0) + recipients);
    return terms;
  },
});

/** Accepts text-message reminders for users with a number, unless it is down. */
const smsMethods = (sms: { numbers: Set<string>; sent: SendSmsRequest[]; down: boolean }) => ({
  async sendSms(asked: SendSmsRequest): Promise<SendSmsResponse> {
    if (sms.down)
      throw new Fault(503, 'platform_unavailable', 'The platform service is unavailable. Try again shortly.');
    if (!sms.numbers.has(asked.user_id)) return { queued: false, reason: 'no_number' };
    if (!sms.sent.some(({ idempotency_key }) => idempotency_key === asked.idempotency_key)) sms.sent.push(asked);
    return { queued: true, reason: '' };
  },
});

/** Answers with the letterhead, unless it is down. */
const letterheadMethods = <Head>(letters: { asked: number; down: boolean; head: Head }) => ({
  async getLetterhead() {
    if (letters.down)
      throw new Fault(503, 'platform_unavailable', 'The platform service is unavailable. Try again shortly.');
    letters.asked += 1;
    return letters.head;
  },
});

/** Creates the fake of platform, with its settings for tests and its server. */
export function fakePlatform() {
  const residents = new Map<string, WorkspaceUser>();
  const calls: string[] = [];
  /** Rights by user, or `down` if the request fails. Defaults to none. */
  const rights = new Map<string, RightsOf>();
  const head = { name: 'Northwind GmbH', address: 'Speicherstraße 12\n20457 Hamburg', tax_number: 'DE 123 456 789' };
  const letters = { asked: 0, down: false, head: { ...head, footer: 'IBAN DE89 3704', logo: Buffer.alloc(0) } };
  /** Fault that rejects a new staff user. */
  const staff: { refusal?: Fault } = {};
  /** Workspaces that are inactive or have other modules. All others have every module. */
  const workspaces = new Map<string, Partial<GetWorkspaceResponse>>();
  /** Users whom text messages reach, and the sent messages. */
  const sms = { numbers: new Set<string>(), sent: [] as SendSmsRequest[], down: false };
  /** Bytes that others store in a workspace and the limit of its plan, or `down` if the request fails. */
  const storage = new Map<string, Partial<ReportStorageResponse> | 'down'>();
  /** The counted e-mail recipients by workspace, and the terms that differ from the default. */
  const emails = { recipients: new Map<string, number>(), terms: {} as Partial<PrepareEmailResponse> };
  const strangers = {
    admit: (_: SignInToTrackRequest): Promise<SignInToTrackResponse> =>
      Promise.reject(new Fault(401, 'wrong_credentials', 'The e-mail address or the password is wrong. Try again.')),
  };
  const served = fakeServer(
    PlatformServiceDefinition,
    {
      async batchGetUsers({ user_ids }, { caller }) {
        calls.push('batchGetUsers');
        return { users: rowsOf(residents, caller?.workspace_id, user_ids) };
      },
      ...rightsMethods(residents, rights),
      ...clientMethods(residents, calls),
      ...staffMethods({ residents, calls, staff }),
      ...workspaceMethods(workspaces),
      ...storageMethods(storage, calls),
      ...smsMethods(sms),
      ...emailMethods(emails),
      signInToTrack: (asked) => strangers.admit(asked),
      ...letterheadMethods(letters),
    },
    ['batchGetRights', 'sendSms'],
  );
  /** Registers a user in a workspace. Returns the user ID. */
  function hire(workspace: string, more: Partial<User> = {}): string {
    const user_id = more.user_id ?? randomUUID();
    const { status = 'active' } = more;
    const usual = {
      name: 'Robin Example',
      email: `${user_id}@example.com`,
      phone: '',
      email_verified: status === 'active',
    };
    residents.set(user_id, { ...usual, kind: 'staff', ...more, status, user_id, workspace });
    return user_id;
  }
  return { residents, rights, calls, letters, staff, strangers, workspaces, storage, sms, emails, hire, served };
}
