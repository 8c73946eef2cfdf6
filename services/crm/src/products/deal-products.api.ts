/** Products of deals: what a deal is about, at the price that it had when it was assigned. */
import { productOperations } from './product-operations.ts';
import { dealBoard } from '../board/deal-board.ts';

export const { assign, remove } = productOperations(dealBoard, {
  assign: 'POST /api/deal/assign-products/{deal_id}',
  remove: 'DELETE /api/deal/{deal_id}/products/{product_id}',
});
