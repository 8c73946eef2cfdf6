/** Visibility of records, and references to the records of other services. */
export { copyOf, publishedKind } from '../references/copy.ts';
export { recordCopies } from '../references/record-copies.ts';
export { ownedKind, type OwnedKind, type Reference, referencesTo } from '../references/reference.ts';
export {
  allOf,
  among,
  anyOf,
  type Condition,
  isActor,
  linkedBy,
  noneOr,
  notAmong,
  ownedBy,
  refersTo,
  sees,
  seesAll,
} from '../visibility/condition.ts';
export {
  allUsers,
  follows,
  hidden,
  ownRows,
  shared,
  staffAnd,
  staffOnly,
  visibility,
  type Visibility,
} from '../visibility/visibility.ts';
