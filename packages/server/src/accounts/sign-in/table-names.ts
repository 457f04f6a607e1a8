const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

export const tableNames = {
  user: {
    modelName: 'staff_user',
    fields: { emailVerified: 'email_verified', ...times },
  },
  session: {
    modelName: 'staff_session',
    fields: {
      userId: 'user_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      ...times,
    },
  },
  account: {
    modelName: 'staff_account',
    fields: {
      accountId: 'account_id',
      providerId: 'provider_id',
      userId: 'user_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      ...times,
    },
  },
  verification: {
    modelName: 'staff_verification',
    fields: { expiresAt: 'expires_at', ...times },
    storeIdentifier: 'hashed',
  },
} as const;

export const twoFactorColumns = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    modelName: 'staff_two_factor',
    fields: {
      userId: 'user_id',
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
};

export const passkeyColumns = {
  passkey: {
    modelName: 'staff_passkey',
    fields: {
      userId: 'user_id',
      publicKey: 'public_key',
      credentialID: 'credential_id',
      deviceType: 'device_type',
      backedUp: 'backed_up',
      createdAt: 'created_at',
    },
  },
};
