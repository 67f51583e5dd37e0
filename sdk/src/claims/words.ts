// These words claim that somebody speaks for a service, or ask for what opens a wallet. Words of scripts that are written without
// spaces, or that change their endings, are found within other words.

interface Phrases {
  /** Whole words. */
  words: string
  /** Beginnings and parts of words. */
  parts: string
}

/** What the team of a service is called. */
export const team: Phrases = {
  words:
    'support, official, admin, admins, administrator, administration, moderator, moderators, helpdesk, help desk, customer service, customer care, support team, security team, service desk, soporte, oficial, administrador, administradora, moderador, moderadora, atencion al cliente, suporte, atendimento ao cliente, administrateur, moderateur, officiel, service client, kundendienst, kundenservice, offiziell, assistenza clienti, ufficiale, amministratore, destek ekibi, resmi destek, yonetici, dukungan resmi, layanan pelanggan, ho tro khach hang, quan tri vien, chinh thuc',
  parts:
    'поддержк, администратор, администрац, модератор, официальн, підтримк, адміністратор, офіційн, 客服, 官方, 管理员, 管理員, 版主, 公式, 運営, サポート, 管理者, モデレーター, 고객센터, 운영자, 운영진, 관리자, 공식, 고객지원, الدعم, المسؤول, المشرف, الرسمي, خدمة العملاء, پشتیبانی, सहायता, सपोर्ट, आधिकारिक, एडमिन, υποστηριξη, διαχειριστης, תמיכה, רשמי',
}

/** What a name has besides these when it claims to be of a team. */
export const teamInNames =
  'team, staff, mod, mods, verified, help center, help centre, equipo, equipe, 团队, 團隊, команда'

/** What opens a wallet, and what people are asked for before it is emptied. */
export const secrets: Phrases = {
  words:
    'seed phrase, seedphrase, seed words, recovery phrase, recovery words, secret phrase, secret recovery phrase, secret words, backup phrase, mnemonic, mnemonic phrase, private key, private keys, privatekey, 12 words, 24 words, 12 word phrase, 24 word phrase, twelve words, twenty four words, 12 word, 24 word, keystore file, verify your wallet, validate your wallet, verify your account, validate your account, sync your wallet, synchronize your wallet, synchronise your wallet, rectify your wallet, restore your wallet, unlock your wallet, activate your wallet, authenticate your wallet, confirm your wallet, whitelist your wallet, migrate your wallet, wallet verification, wallet validation, wallet synchronization, verify wallet, validate wallet, frase semilla, frase de recuperacion, palabras de recuperacion, clave privada, claves privadas, verifica tu billetera, verificar tu billetera, verifica tu wallet, frase de recuperacao, chave privada, phrase de recuperation, cle privee, phrase secrete, wiederherstellungsphrase, privater schlussel, privaten schlussel, private schlussel, frase di recupero, chiave privata, kurtarma ifadesi, kurtarma kelimeleri, ozel anahtar, frasa pemulihan, kunci pribadi, cum tu khoi phuc, khoa rieng tu',
  parts:
    'сид фраз, сидфраз, секретная фраз, фраза восстановлен, фразу восстановлен, фразы восстановлен, приватный ключ, приватного ключ, закрытый ключ, подтвердите кошел, подтвердите свой кошел, проверьте кошел, мнемоническ, сид фрази, приватний ключ, 助记词, 助記詞, 私钥, 私鑰, 恢复短语, 验证钱包, 验证您的钱包, 验证你的钱包, 驗證錢包, 驗證您的錢包, シードフレーズ, リカバリーフレーズ, 秘密鍵, ニーモニック, 復元フレーズ, 시드 구문, 시드구문, 복구 구문, 복구구문, 개인키, 개인 키, 니모닉, 지갑 인증, عبارة الاسترداد, العبارة السرية, المفتاح الخاص, كلمات الاسترداد, عبارت بازیابی, کلید خصوصی, सीड फ्रेज़, रिकवरी फ्रेज़, प्राइवेट की, φραση ανακτησης, ιδιωτικο κλειδι, מפתח פרטי, משפט שחזור',
}
