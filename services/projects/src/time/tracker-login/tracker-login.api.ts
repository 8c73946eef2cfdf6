/**
 * Sign-in of time trackers on desktops and phones. Their sessions can only track time, so that a lost device reveals
 * nothing else.
 */
import { fault, Forbidden, ModuleDisabled } from '@suite/chassis/faults';
import { ok, open, anyStaff, withTrackers } from '@suite/chassis/operations';
import { inTime } from '../../operations.ts';
import { signInThroughPlatform, logInTracker } from './tracker-login.ts';
import { TrackerHome, TrackerLogin, TrackerSignedIn } from './tracker-login.schema.ts';
import { readTrackerHome } from './tracker-login.view.ts';

const { query, command } = inTime;

// Faults of platform, returned by this operation. Only platform checks the password.
const WrongCredentials = fault(401, 'wrong_credentials', 'The e-mail address or the password is wrong. Try again.');
const EmailUnverified = fault(
  403,
  'email_unverified',
  'Your e-mail address is not verified. Accept the invitation that was sent to you, or request a new password.',
);
const AccountDisabled = fault(
  403,
  'account_disabled',
  'This account has been disabled. Ask an owner of your workspace.',
);
const WorkspaceSuspended = fault(
  403,
  'workspace_suspended',
  'This workspace has been suspended. Ask its owner to contact support.',
);
const SecondFactorNeeded = fault(
  401,
  'second_factor_needed',
  'Enter a code of your second factor, or a recovery code.',
);
const EnrolmentNeeded = fault(
  401,
  'second_factor_enrolment_needed',
  'Your workspace requires a second factor. Set one up to sign in.',
);
const PlatformUnavailable = fault(
  503,
  'platform_unavailable',
  'The platform service is unavailable. Try again shortly.',
);

export const login = command('POST /api/tracker-login', {
  summary: 'Sign in to the time tracker',
  description:
    'Signs in like `POST /api/login`, with the same limits. The session can only track time, refresh and sign out. Returns `module_disabled` if the plan excludes time tracking, and `forbidden` for clients and vendors. Complete a second factor with `POST /api/login/second-factor`. `GET /api/tracker` returns what to track time on.',
  access: open,
  body: TrackerLogin,
  reply: ok(TrackerSignedIn),
  faults: [
    WrongCredentials,
    AccountDisabled,
    EmailUnverified,
    WorkspaceSuspended,
    SecondFactorNeeded,
    EnrolmentNeeded,
    ModuleDisabled,
    Forbidden,
    PlatformUnavailable,
  ],
  prepare: ({ body, request, rpc }) => signInThroughPlatform(rpc, body, request),
  handle: ({ db, prepared: signedIn }) => logInTracker(db, signedIn),
});

export const home = query('GET /api/tracker', {
  summary: 'Get the data of the time tracker',
  description: 'Returns the projects and tasks on which you can track time, and your running timer.',
  addition: 'A tracker reads the available projects and tasks after a second factor or a refresh.',
  access: withTrackers(anyStaff),
  reply: ok(TrackerHome),
  handle: ({ db, caller }) => readTrackerHome(db, caller),
});
