/** Initial stages of a workspace: the default set that its projects copy. */
import type { Db } from '../../operations.ts';

const GREY = '#94a3b8';
const SLATE = '#64748b';
const BLUE = '#3b82f6';
const VIOLET = '#8b5cf6';
const GREEN = '#22c55e';
const RED = '#ef4444';

/** Stages of a new workspace, in order. */
const DEFAULTS = {
  task: [
    { name: 'Backlog', group: 'backlog', color: GREY },
    { name: 'To do', group: 'unstarted', color: SLATE },
    { name: 'In progress', group: 'started', color: BLUE },
    { name: 'In review', group: 'started', color: VIOLET },
    { name: 'Done', group: 'completed', color: GREEN },
    { name: 'Cancelled', group: 'cancelled', color: RED },
  ],
  bug: [
    { name: 'New', group: 'unstarted', color: GREY },
    { name: 'Confirmed', group: 'unstarted', color: SLATE },
    { name: 'In progress', group: 'started', color: BLUE },
    { name: 'In test', group: 'started', color: VIOLET },
    { name: 'Resolved', group: 'completed', color: GREEN },
    { name: 'Rejected', group: 'cancelled', color: RED },
  ],
};
const isDefault = (name: string): boolean => name === 'To do' || name === 'New';

/** Creates the workspace's stages, unless there are some. */
export async function provideStages(db: Db): Promise<void> {
  if ((await db.stage.count({ where: { project_id: null } })) > 0) return;
  const data = Object.entries(DEFAULTS).flatMap(([kind, stages]) =>
    stages.map((stage, order) => ({ ...stage, kind, order, is_default: isDefault(stage.name) })),
  );
  await db.stage.createMany({ data });
}
