/** Lists and single records: filters, sorting, pages, expansions and search. */
export { expandable, onDemand } from '../lists/choice.ts';
export { list, type ListQuery, type ListRequest, type Page } from '../lists/list.ts';
export { pageFrom, pageOf, wholePage } from '../lists/page.ts';
export { condition as filterCondition } from '../reading/conditions.ts';
export { readCounts } from '../reading/cached-counts.ts';
export { assertUnused, inUseFault } from '../reading/in-use.ts';
export { type Matches, newestMatches, searchQuery } from '../reading/matches.ts';
export { type Expansion, many, one, paginate } from '../reading/paginate.ts';
export { parseListRequest } from '../reading/list-visible.ts';
export { expandOne, insertOne, readOne, shownColumns, type View } from '../reading/rows.ts';
