/** Sign-ins with a correct password that still need the second factor. They have no session yet. */
import { enterWorkspace, everyWorkspace, sql } from '@suite/chassis/database';
import { type Fault, fault, type FaultMaker } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { tokenHash, randomToken } from '../../tokens/token.ts';
import type { Db } from '../../operations.ts';
import type { SessionPurpose } from '../sessions/session.ts';
import { hasSmsGateway } from '../../connections/sms-messages/sms-message.ts';
import { type FactorKind, factorsOf, isRequired } from './second-factor.ts';
import { smsReceiver } from './sms-factor.ts';

export const SecondFactorRequired = fault(
  401,
  'second_factor_needed',
  'Enter a code of your second factor, or a recovery code.',
);
export const EnrolmentRequired = fault(
  401,
  'second_factor_enrolment_needed',
  'Your workspace requires a second factor. Set one up to sign in.',
);
export const ChallengeExpired = fault(
  422,
  'challenge_over',
  'This sign-in took too long or failed too often. Start again.',
);

const LIFETIME_S = 300;
const ATTEMPTS = 5;

/** User of a challenge. */
export interface ChallengeUser {
  id: string;
  workspace_id: string;
  user_id: string;
  /** Purpose of the resulting session. */
  purpose: SessionPurpose;
}

async function createChallenge(
  db: Db,
  { user_id, purpose }: Pick<ChallengeUser, 'user_id' | 'purpose'>,
  makeFault: FaultMaker,
  ways: object,
): Promise<Fault> {
  const token = `bmc_${randomToken()}`;
  const expires_at = new Date(clock.now().getTime() + LIFETIME_S * 1_000);
  await db.loginChallenge.deleteMany({ where: { user_id, expires_at: { lt: clock.now() } } });
  await db.loginChallenge.create({ data: { user_id, purpose, token_hash: tokenHash(token), expires_at } });
  return makeFault({ challenge: token, expires_in_seconds: LIFETIME_S, ...ways });
}

/** Returns the factors that can complete a sign-in. A number counts only while messages can be sent to it. */
async function usableFactors(db: Db, user_id: string, factors: readonly FactorKind[]) {
  const sms = factors.includes('sms') ? await smsReceiver(db, user_id) : undefined;
  return { factors: factors.filter((kind) => kind !== 'sms' || sms), ...sms };
}

/** Returns the fault for the missing step after a correct password, if any. */
export async function challengeFor(db: Db, user_id: string, purpose: SessionPurpose): Promise<Fault | undefined> {
  const factors = await factorsOf(db, user_id);
  const user = { user_id, purpose };
  if (factors.length > 0)
    return await createChallenge(db, user, SecondFactorRequired, await usableFactors(db, user_id, factors));
  if (!(await isRequired(db))) return undefined;
  const offered = (await hasSmsGateway(db)) ? ['app', 'sms'] : ['app'];
  return await createChallenge(db, user, EnrolmentRequired, { factors: offered });
}

/**
 * Enters the workspace of a challenge for one attempt. Concurrent attempts wait for each other.
 * @param attempts the number of attempts to spend: 0 if no code is tried
 * @throws ChallengeExpired when it has expired, was met, or its attempts are used up
 */
export async function enterChallenge(db: Db, token: string, attempts: 0 | 1 = 1): Promise<ChallengeUser> {
  const token_hash = tokenHash(token);
  const [found] = await everyWorkspace(db, (all) =>
    all.rows<ChallengeUser>(sql`
      SELECT login_challenges.id, login_challenges.workspace_id, user_id, purpose
      FROM login_challenges
        JOIN users ON users.id = user_id AND users.status = 'active'
        JOIN workspaces ON workspaces.id = users.workspace_id AND workspaces.status = 'active'
      WHERE token_hash = ${token_hash}`),
  );
  if (!found) throw ChallengeExpired();
  await enterWorkspace(found.workspace_id, found.user_id);
  const { count } = await db.loginChallenge.updateMany({
    where: { id: found.id, attempts: { lt: ATTEMPTS }, expires_at: { gt: clock.now() } },
    data: { attempts: { increment: attempts } },
  });
  if (count === 0) throw ChallengeExpired();
  return found;
}

/** Ends the challenges of a user who has met one or changed their password. */
export const endChallenges = (db: Db, user_id: string): Promise<unknown> =>
  db.loginChallenge.deleteMany({ where: { user_id } });
