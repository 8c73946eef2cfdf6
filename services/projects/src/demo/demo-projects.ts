/** Demo projects with all statuses, users and milestones. One is a template. */
import { dayOf, daysFrom, type DemoUser, randomNumber, pickOne, pickSome } from '@suite/demo';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import type { Db } from '../operations.ts';
import { openProject } from '../projects/projects/project.ts';
import type { projectStates } from '../work/access/project.rules.ts';

interface ProjectPlan {
  name: string;
  status: (typeof projectStates.states)[number];
  /** Days from today until the start, and below the duration in days. */
  starts: number;
  takes: number;
  tags: string[];
  is_template?: boolean;
}

/** Projects of a small company. */
export const PLANS: readonly ProjectPlan[] = [
  { name: 'Usual website', status: 'not_started', starts: 0, takes: 60, tags: ['web'], is_template: true },
  { name: 'Website relaunch', status: 'in_progress', starts: -50, takes: 90, tags: ['web', 'design'] },
  { name: 'Online shop', status: 'in_progress', starts: -30, takes: 120, tags: ['web', 'shop'] },
  { name: 'Mobile app', status: 'in_progress', starts: -80, takes: 70, tags: ['app'] },
  { name: 'Customer portal', status: 'on_hold', starts: -60, takes: 100, tags: ['web'] },
  { name: 'Spring campaign', status: 'finished', starts: -120, takes: 60, tags: ['marketing'] },
  { name: 'Move to the new office', status: 'not_started', starts: 20, takes: 45, tags: ['inside'] },
  { name: 'Trade fair stand', status: 'cancelled', starts: -90, takes: 30, tags: ['marketing'] },
];

const MILESTONES = ['Concept', 'Design', 'First release', 'Acceptance'];
const COLORS = ['#3b82f6', '#22c55e', '#8b5cf6', '#f59e0b', '#ef4444'];
const HEALTH = ['on_track', 'at_risk', 'off_track'];

const textOf = (day: Date): string => day.toISOString().slice(0, 10);

/** Returns the users of a project: an owner as manager, staff as members, and one viewer. */
function peopleOf(users: readonly DemoUser[]) {
  const [owner, ...others] = users.filter(({ kind }) => kind === 'owner' || kind === 'staff');
  if (!owner) throw new Error('No user can manage projects. Add an owner or a staff user to the workspace.');
  const [viewer, ...members] = others;
  return [
    { user_id: owner.id, role: 'manager' as const, hourly_rate: '95', cost_rate: '55' },
    ...members.map(({ id }) => ({ user_id: id, role: 'member' as const, hourly_rate: '80', cost_rate: '45' })),
    ...(viewer ? [{ user_id: viewer.id, role: 'viewer' as const }] : []),
  ];
}

async function addMilestones(db: Db, project_id: string, plan: ProjectPlan, starts: Date): Promise<void> {
  const step = Math.floor(plan.takes / MILESTONES.length);
  const isOver = plan.status === 'finished';
  await db.milestone.createMany({
    data: MILESTONES.map((title, index) => ({
      project_id,
      title,
      start_date: dayOf(daysFrom(starts, index * step)),
      end_date: dayOf(daysFrom(starts, (index + 1) * step)),
      status:
        isOver || (plan.starts + (index + 1) * step < 0 && plan.status === 'in_progress') ? 'complete' : 'incomplete',
      cost: String(randomNumber(500, 3_000, 50)),
      client_visible: index > 0,
    })),
  });
}

/** Creates a demo project. */
export async function addProject(
  db: Db,
  emit: Emit,
  plan: ProjectPlan,
  { users, currency }: { users: readonly DemoUser[]; currency: string },
): Promise<void> {
  const { name, status, takes, tags, is_template = false } = plan;
  const starts = daysFrom(clock.now(), plan.starts);
  const clients = users.filter(({ kind }) => kind === 'client').map(({ id }) => id);
  const id = await openProject(db, emit, {
    name,
    status: 'not_started',
    description: `${name}: as agreed with everyone who takes part.`,
    start_date: textOf(starts),
    end_date: textOf(daysFrom(starts, takes)),
    budget: String(randomNumber(4_000, 30_000, 500)),
    hourly_rate: '90',
    currency,
    tags,
    color: pickOne(COLORS),
    is_template,
    members: peopleOf(users),
    client_ids: is_template ? [] : pickSome(clients, 3),
    template: undefined,
    actor_id: null,
  });
  await addMilestones(db, id, plan, starts);
  const health = status === 'in_progress' ? pickOne(HEALTH) : null;
  await db.project.updateMany({ where: { id }, data: { status, health } });
}
