/** Documents of leads. */
import { fileOperations } from './file-operations.ts';
import { leadBoard } from '../board/lead-board.ts';

export const { store, remove, download } = fileOperations(leadBoard, {
  store: 'POST /api/lead-file/store/{lead_id}',
  remove: 'DELETE /api/lead-file/{lead_id}/delete/{file_id}',
  download: 'GET /api/lead-file/download/{token}',
});
