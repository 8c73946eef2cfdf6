/** Platform, as far as its neighbours ask it: who is a user of a workspace, and what its letters show. */
import { randomUUID } from 'node:crypto';
import { type Caller, Fault, invalid } from '@suite/chassis';
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
import { rowsOf, standIn } from './stand-in.ts';

/** A user whom platform knows. */
export type Resident = User & { workspace: string };
/** The rights of somebody, or that nobody can be asked for them. */
type RightsOf = Partial<UserRights> | 'down';

/** The rights of a user whom a test has made as a caller, if there is one in this workspace. */
function rightsOfCaller(user_id: string, workspace: string | undefined): Partial<UserRights> | undefined {
  const caller = latestCallers.get(user_id);
  if (!caller || caller.workspace_id !== workspace) return undefined;
  const { user_name: name, kind, role, permissions, record_scopes, modules, timezone, currency, team = [] } = caller;
  const user = { user_id, name, kind, email: '', phone: '', status: 'active', email_verified: true };
  const rights = { role, permissions: [...permissions], record_scopes, modules: [...modules], timezone, currency };
  return { ...rights, user, team: [...team] };
}

/** Answers what users may do: the rights of the caller whom a test has made, or no rights, unless a test sets others. */
const rightsAnswers = (residents: ReadonlyMap<string, Resident>, rights: ReadonlyMap<string, RightsOf>) => ({
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

/** Answers for the clients that others have made. */
const clientAnswers = (residents: Map<string, Resident>, calls: string[]) => ({
  async ensureClientUser(
    { name, email, phone, password }: EnsureClientUserRequest,
    { caller }: { caller: Caller | null },
  ) {
    calls.push(`ensureClientUser ${email}`);
    const workspace = caller?.workspace_id ?? '';
    const known = rowsOf(residents, workspace).find((user) => user.email === email);
    if (known && known.kind !== 'client') throw invalid('email', 'This address belongs to a user who is not a client.');
    if (known && password)
      throw new Fault(422, 'client_has_account', 'This client already has an account. Leave out the password.');
    if (known) return { user: known, created: false };
    const user = { user_id: randomUUID(), name, email, phone, kind: 'client', status: 'invited', workspace };
    residents.set(user.user_id, user);
    return { user, created: true };
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
  async ensureStaffUser(
    { name, email, role_key, dry_run }: EnsureStaffUserRequest,
    { caller }: { caller: Caller | null },
  ) {
    calls.push(`ensureStaffUser ${email} ${role_key}`);
    if (staff.refusal) throw staff.refusal;
    const workspace = caller?.workspace_id ?? '';
    const known = rowsOf(residents, workspace).find((user) => user.email === email);
    if (known && known.kind !== 'staff' && known.kind !== 'owner')
      throw invalid('email', 'This address belongs to a user who is not staff.');
    if (known) return { user: known, created: false };
    const user = { user_id: randomUUID(), name, email, phone: '', kind: 'staff', status: 'invited', workspace };
    if (!dry_run) residents.set(user.user_id, user);
    return { user, created: true };
  },
});

/** Answers what is on in a workspace: everything, where no test says otherwise. */
const workspaceAnswers = (workspaces: ReadonlyMap<string, Partial<GetWorkspaceResponse>>) => ({
  async getWorkspace({ workspace_id }: GetWorkspaceRequest) {
    const modules = [...makeCaller({}).modules, 'hrm', 'support'];
    return { active: true, modules, country: '', ...workspaces.get(workspace_id) };
  },
});

/** Answers what others store and what the plan allows: nothing and without a limit, where no test says otherwise. */
const storageAnswers = (storage: ReadonlyMap<string, Partial<ReportStorageResponse> | 'down'>, calls: string[]) => ({
  async reportStorage({ workspace_id, bytes }: ReportStorageRequest): Promise<ReportStorageResponse> {
    const answer = storage.get(workspace_id);
    if (answer === 'down')
      throw new Fault(503, 'platform_unavailable', 'The platform service is unavailable. Try again shortly.');
    calls.push(`reportStorage ${workspace_id} ${bytes}`);
    return { elsewhere_bytes: '0', allowed_mb: undefined, ...answer };
  },
});

/** Counts the recipients of e-mails, which may always be sent where no test says otherwise. */
const emailAnswers = (emails: { recipients: Map<string, number>; terms: Partial<PrepareEmailResponse> }) => ({
  async prepareEmail({ workspace_id, recipients }: PrepareEmailRequest): Promise<PrepareEmailResponse> {
    const usual = { workspace_name: 'Northwind', reply_to: 'owner@northwind.test', links: {}, retry_after_s: 0 };
    const terms = { ...usual, ...emails.terms };
    if (recipients === 0) return { ...terms, retry_after_s: 0 };
    if (terms.retry_after_s === 0)
      emails.recipients.set(workspace_id, (emails.recipients.get(workspace_id) ?? 0) + recipients);
    return terms;
  },
});

/** Takes reminders by text message for those who have a number, unless nobody can be asked. */
const smsAnswers = (sms: { numbers: Set<string>; sent: SendSmsRequest[]; down: boolean }) => ({
  async sendSms(asked: SendSmsRequest): Promise<SendSmsResponse> {
    if (sms.down)
      throw new Fault(503, 'platform_unavailable', 'The platform service is unavailable. Try again shortly.');
    if (!sms.numbers.has(asked.user_id)) return { queued: false, reason: 'no_number' };
    if (!sms.sent.some(({ idempotency_key }) => idempotency_key === asked.idempotency_key)) sms.sent.push(asked);
    return { queued: true, reason: '' };
  },
});

/** Answers with the head of letters, unless nobody can be asked. */
const letterAnswers = <Head>(letters: { asked: number; down: boolean; head: Head }) => ({
  async getLetterhead() {
    if (letters.down)
      throw new Fault(503, 'platform_unavailable', 'The platform service is unavailable. Try again shortly.');
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
  /** Whom text messages reach, and those that were sent. */
  const sms = { numbers: new Set<string>(), sent: [] as SendSmsRequest[], down: false };
  /** The bytes that others store in a workspace, and what its plan allows, or that nobody can be asked. */
  const storage = new Map<string, Partial<ReportStorageResponse> | 'down'>();
  /** The recipients of e-mails that were counted by workspace, and the terms that differ from the usual ones. */
  const emails = { recipients: new Map<string, number>(), terms: {} as Partial<PrepareEmailResponse> };
  const strangers = {
    admit: (_: SignInToTrackRequest): Promise<SignInToTrackResponse> =>
      Promise.reject(new Fault(401, 'wrong_credentials', 'The e-mail address or the password is wrong.')),
  };
  const served = standIn(
    PlatformServiceDefinition,
    {
      async batchGetUsers({ user_ids }, { caller }) {
        calls.push('batchGetUsers');
        return { users: rowsOf(residents, caller?.workspace_id, user_ids) };
      },
      ...rightsAnswers(residents, rights),
      ...clientAnswers(residents, calls),
      ...staffAnswers({ residents, calls, staff }),
      ...workspaceAnswers(workspaces),
      ...storageAnswers(storage, calls),
      ...smsAnswers(sms),
      ...emailAnswers(emails),
      signInToTrack: (asked) => strangers.admit(asked),
      ...letterAnswers(letters),
    },
    ['batchGetRights', 'sendSms'],
  );
  /** Registers somebody in a workspace; returns the user id. */
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
