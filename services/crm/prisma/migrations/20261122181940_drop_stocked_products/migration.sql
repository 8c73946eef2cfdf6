-- What lies in a warehouse is asked of inventory; no copy is kept of it any more.
DROP TABLE "stocked_products";

DELETE FROM event_lanes WHERE consumer = 'crm.keep-stocked-product';
DELETE FROM received_events WHERE consumer = 'crm.keep-stocked-product';
DELETE FROM event_positions WHERE consumer = 'crm.keep-stocked-product';
