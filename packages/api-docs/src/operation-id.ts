/**
 * Operation IDs in the document follow one rule, `<resources>.<verb>`: `leads.create`. Clients are generated from the
 * IDs, so they stay when a file is renamed. If the name in the code describes the code more than the resource, its ID
 * is listed here.
 */
const OF_APP_ROUTES: Readonly<Record<string, string>> = {
  'appLeads.board': 'leads.showBoard',
  'appLeads.choices': 'leads.showChoices',
  'appLeads.details': 'leads.showDetails',
  'appLeads.home': 'leads.showHome',
  'appLeads.move': 'leads.move',
  'appLeads.remove': 'leads.removeFromBoard',
  'appLeads.save': 'leads.save',
  'appLeads.users': 'leads.listOwners',
  'appPipelines.list': 'pipelines.listForLeads',
  'appPipelines.save': 'pipelines.save',
  'appPipelines.saveStage': 'leadStages.save',
  'appPipelines.stages': 'leadStages.listOfPipeline',
  'appSales.home': 'sales.showHome',
  'appSales.parentRecords': 'meetings.listParents',
  'appSales.requestData': 'sales.showChoices',
  'appSales.warehouseProducts': 'sales.listWarehouseProducts',
  'appSales.warehouses': 'sales.listWarehouses',
};

/** Returns the operation ID in the API docs for a name in the code. */
export function documentId(name: string): string {
  return OF_APP_ROUTES[name] ?? name;
}
