/** Public exports of the generators of documents from declarations. */
export { architectureDiagram, areasTable, withSection } from './pages/architecture.ts';
export { breakingChanges } from './changes/breaking-changes.ts';
export { releasedChangelog, unnamedBreaks } from './changes/changelog.ts';
export { decisionsText } from './pages/decisions.ts';
export { description } from './description.ts';
export { adviceGaps, type ErrorSources, errorsPage } from './errors.ts';
export { type Guide, guidePages } from './pages/guides.ts';
export { sample } from './example.ts';
export { eventsText, methodsText, operationsText, type Routes, routes, statesText } from './manifest.ts';
export { describeFields, readDescriptions } from './openapi/field-descriptions.ts';
export { describeParameters } from './openapi/parameter-descriptions.ts';
export { describeValues, readMeanings } from './openapi/value-descriptions.ts';
export { type Example, openapi } from './openapi/openapi.ts';
export { documentId } from './operation-id.ts';
export { protobufChanges } from './changes/protobuf-changes.ts';
export { referencesText } from './references/references.ts';
export { visibilityText } from './visibility.ts';
export { linesOfJson } from './json-lines.ts';
