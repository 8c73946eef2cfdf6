import { Email, input, version } from '@suite/chassis/fields';
import { revoke_api_keys } from '../../identity/passwords/password-reset.schema.ts';
import { NewPassword, PresentPassword } from '../../identity/sessions/session.schema.ts';
import { personal } from '../../identity/accounts/user.schema.ts';

export const PasswordChange = input({ current_password: PresentPassword, password: NewPassword, revoke_api_keys });

/**
 * Changes to the caller's profile. A new address requires the password, because the owner of the address can reset the
 * password.
 */
export const ProfileChange = input({ ...personal, email: Email, current_password: PresentPassword, version })
  .partial()
  .refine(({ email, current_password }) => email === undefined || current_password !== undefined, {
    path: ['current_password'],
    error: 'Enter your password to change your e-mail address.',
  });

export const AccountRemoval = input({ password: PresentPassword });
