/** Callers, keys and tokens. */
export { isApiKey, newApiKey } from '../identity/api-key.ts';
export { linkTokens, prefixedTokens } from '../identity/workspace-token.ts';
export { assertInScope } from '../identity/permissions.ts';
export { type Caller, derivedSecret, type Keys, loadKeys, callerOnBehalfOf } from '../identity/identity.ts';
export { addMasterKey, masterKeyOf, type MasterKeys, masterKeysIn } from '../identity/master-keys.ts';
