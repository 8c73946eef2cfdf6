/** The front door of the writers: what is generated from the declarations. */
export { description } from './description.ts';
export { errorsPage } from './errors.ts';
export { eventsText, operationsText, type Routes, routes, statesText } from './manifest.ts';
export { openapi } from './openapi.ts';
export { visibilityText } from './visibility.ts';
