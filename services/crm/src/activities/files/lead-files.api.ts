/** Files of leads, such as requests. */
import { fileOperations } from './file-operations.ts';
import { leadBoard } from '../../pipeline/board/lead-board.ts';

export const { create, remove, download } = fileOperations(leadBoard, {
  create: 'POST /api/lead-file/store/{lead_id}',
  remove: 'DELETE /api/lead-file/{lead_id}/delete/{file_id}',
  download: 'GET /api/lead-file/download/{token}',
});
