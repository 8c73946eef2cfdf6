/** Lead stages are the columns of the lead board. A lead in a stage of the type `lost` is lost. */
import { leadBoard } from '../board/lead-board.ts';
import { stageOperations } from './stage-operations.ts';

export const { list, create, update, remove } = stageOperations(leadBoard, {
  list: 'GET /api/lead-stages',
  create: 'POST /api/lead-stage/create',
  update: 'POST /api/lead-stage/update/{id}',
  remove: 'DELETE /api/lead-stage/delete/{id}',
});
