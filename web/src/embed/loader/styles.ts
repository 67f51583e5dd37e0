// A style sheet that is made here needs no permission of the site's policy, as a <style> would.
export const styles = `
:host(:not([hidden])){display:inline-block}
button{all:unset;box-sizing:border-box;cursor:pointer;min-width:44px;min-height:44px;text-align:center}
button,.panel{font:15px/1.4 system-ui,sans-serif}
button:focus-visible{outline:2px solid;outline-offset:2px}
.open{padding:10px 16px;border-radius:var(--parley-radius,12px);color:var(--parley-on-accent,#fff);background:var(--parley-accent,#0d6b62)}
:host([float]),.panel{position:fixed;inset:auto 16px 16px auto;z-index:9999999}
:host([float]:dir(rtl)),:host(:dir(rtl)) .panel{inset:auto auto 16px 16px}
b:not(:empty){margin-inline-start:8px;padding:1px 7px;border-radius:9px;color:#fff;background:#b3261e}
.panel{box-sizing:border-box;width:376px;height:600px;max-width:calc(100vw - 32px);max-height:calc(100dvh - 32px);padding:0;border:1px solid #8888;border-radius:1em;overflow:hidden;color-scheme:light dark;background:light-dark(#fff,#101413);color:light-dark(#121a18,#e9efed);box-shadow:0 8px 30px #0004}
:host([theme=light]) .panel{color-scheme:light}
:host([theme=dark]) .panel{color-scheme:dark}
a{position:absolute;inset:45% 0 0;text-align:center;color:inherit}
iframe{position:relative;width:100%;height:100%;border:0}
iframe:not(.ready){opacity:0;pointer-events:none}
.close{position:absolute;inset-block-start:6px;inset-inline-end:6px;font-size:22px}
@media(max-width:480px){.panel{inset:0!important;width:100%;height:100%;max-width:none;max-height:none;border:0;border-radius:0}}`
