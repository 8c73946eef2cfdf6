/** Activities of a lead: tasks, calls, notes, e-mails, files, stage history and timeline. */
import { pageOperations } from './page-operations.ts';
import { leadBoard } from '../../pipeline/board/lead-board.ts';

const routes = {
  tasks: 'GET /api/lead-tasks/{lead_id}',
  calls: 'GET /api/lead-calls/{lead_id}',
  discussions: 'GET /api/lead-discussions/{lead_id}',
  emails: 'GET /api/lead-emails/{lead_id}',
  files: 'GET /api/lead-files/{lead_id}',
  stage_history: 'GET /api/lead-stage-history/{lead_id}',
  timeline: 'GET /api/lead-timeline/{lead_id}',
} as const;

export const { tasks, calls, discussions, emails, files, stageHistory, timeline } = pageOperations(leadBoard, routes);
