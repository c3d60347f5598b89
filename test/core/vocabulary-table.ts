/**
 * Every listed pair with what it means: ECS category/type/outcome, CIM model and action, OCSF type_uid/status_id, and
 * whether it counts as a sign-in. Written out, not computed: whoever changes a meaning sees here all that changes.
 */
export const TABLE = `
account authenticationSuccess          iam/user+info/success            -                        300199/1
account authorize                      iam/user+info/unknown            -                        300199/0
account error                          iam/user+change/failure          Change modified          300199/2
account expiredCode                    iam/user+change/failure          Change modified          300199/2
account failure                        iam/user+change/failure          Change modified          300199/2
account idToken                        iam/user+info/success            -                        300199/1
account invalidCode                    iam/user+change/failure          Change modified          300199/2
account login                          session/start/unknown            -                        300299/0
account logout                         session/end/success              -                        300202/1
account manage                         iam/user+change/success          Change modified          300199/1
account noEmail                        iam/user+info/failure            -                        300199/2
account queued                         iam/user+info/unknown            -                        300199/0
account request                        iam/user+info/unknown            -                        300199/0
account samlValidate                   iam/user+info/unknown            -                        300199/0
account send                           iam/user+info/unknown            -                        300199/0
account sent                           iam/user+info/success            -                        300199/1
account serviceValidate                iam/user+info/unknown            -                        300199/0
account success                        iam/user+change/success          Change modified          300199/1
account token                          iam/user+info/unknown            -                        300199/0
account userinfo                       iam/user+info/unknown            -                        300199/0
account validate                       iam/user+info/unknown            -                        300199/0

authentication authenticationSuccess   session/info/success             -                        300206/1
authentication authorize               authentication/info/unknown      -                        300206/0
authentication error                   authentication/start/failure     Authentication error     300201/2 sign-in
authentication expiredCode             authentication/start/failure     Authentication failure   300201/2 sign-in
authentication failure                 authentication/start/failure     Authentication failure   300201/2 sign-in
authentication idToken                 web/access/success               -                        600302/1
authentication invalidCode             authentication/start/failure     Authentication failure   300201/2 sign-in
authentication login                   authentication/info/unknown      -                        300206/0
authentication logout                  session/end/success              -                        300202/1
authentication manage                  session/info/success             -                        300206/1
authentication noEmail                 session/info/failure             -                        300206/2
authentication queued                  session/info/unknown             -                        300206/0
authentication request                 authentication/info/unknown      -                        300206/0
authentication samlValidate            web/access/unknown               -                        600302/0
authentication send                    session/info/unknown             -                        300206/0
authentication sent                    session/info/success             -                        300206/1
authentication serviceValidate         web/access/unknown               -                        600302/0
authentication success                 authentication/start/success     Authentication success   300201/1 sign-in
authentication token                   web/access/unknown               -                        600302/0
authentication userinfo                web/access/unknown               -                        600302/0
authentication validate                web/access/unknown               -                        600302/0

cas authenticationSuccess              web/access/success               -                        600302/1
cas authorize                          web/access/unknown               -                        600302/0
cas error                              web/error/failure                -                        600302/2
cas expiredCode                        web/error/failure                -                        600302/2
cas failure                            web/error/failure                -                        600302/2
cas idToken                            web/access/success               -                        600302/1
cas invalidCode                        web/error/failure                -                        600302/2
cas login                              authentication/info/unknown      -                        300206/0
cas logout                             session/end/success              -                        300202/1
cas manage                             web/access/success               -                        600302/1
cas noEmail                            web/error/failure                -                        600302/2
cas queued                             web/access/unknown               -                        600302/0
cas request                            authentication/info/unknown      -                        300206/0
cas samlValidate                       web/access/unknown               -                        600302/0
cas send                               web/access/unknown               -                        600302/0
cas sent                               web/access/success               -                        600302/1
cas serviceValidate                    web/access/unknown               -                        600302/0
cas success                            web/access/success               -                        600302/1
cas token                              web/access/unknown               -                        600302/0
cas userinfo                           web/access/unknown               -                        600302/0
cas validate                           web/access/unknown               -                        600302/0

create authenticationSuccess           iam/user+info/success            -                        300199/1
create authorize                       iam/user+info/unknown            -                        300199/0
create error                           iam/user+creation/failure        Change created           300101/2
create expiredCode                     iam/user+creation/failure        Change created           300101/2
create failure                         iam/user+creation/failure        Change created           300101/2
create idToken                         iam/user+info/success            -                        300199/1
create invalidCode                     iam/user+creation/failure        Change created           300101/2
create login                           iam/user+info/unknown            -                        300199/0
create logout                          iam/user+info/success            -                        300199/1
create manage                          iam/user+info/success            -                        300199/1
create noEmail                         iam/user+creation/failure        Change created           300101/2
create queued                          iam/user+info/unknown            -                        300199/0
create request                         iam/user+info/unknown            -                        300199/0
create samlValidate                    iam/user+info/unknown            -                        300199/0
create send                            iam/user+info/unknown            -                        300199/0
create sent                            iam/user+info/success            -                        300199/1
create serviceValidate                 iam/user+info/unknown            -                        300199/0
create success                         iam/user+creation/success        Change created           300101/1
create token                           iam/user+info/unknown            -                        300199/0
create userinfo                        iam/user+info/unknown            -                        300199/0
create validate                        iam/user+info/unknown            -                        300199/0

email authenticationSuccess            email/info/success               -                        400901/1
email authorize                        email/info/unknown               -                        400901/0
email error                            email/info/failure               Email failed             400901/2
email expiredCode                      email/info/failure               -                        400901/2
email failure                          email/info/failure               Email failed             400901/2
email idToken                          email/info/success               -                        400901/1
email invalidCode                      email/info/failure               -                        400901/2
email login                            email/info/unknown               -                        400901/0
email logout                           email/info/success               -                        400901/1
email manage                           email/info/success               -                        400901/1
email noEmail                          email/info/failure               Email failed             400901/2
email queued                           email/info/unknown               -                        400901/0
email request                          email/info/unknown               -                        400901/0
email samlValidate                     email/info/unknown               -                        400901/0
email send                             email/info/unknown               -                        400901/0
email sent                             email/info/success               Email delivered          400901/1
email serviceValidate                  email/info/unknown               -                        400901/0
email success                          email/info/success               Email delivered          400901/1
email token                            email/info/unknown               -                        400901/0
email userinfo                         email/info/unknown               -                        400901/0
email validate                         email/info/unknown               -                        400901/0

emailMFA authenticationSuccess         session/info/success             -                        300206/1
emailMFA authorize                     session/info/unknown             -                        300206/0
emailMFA error                         session/info/failure             -                        300206/2
emailMFA expiredCode                   authentication/start/failure     Authentication failure   300201/2 sign-in
emailMFA failure                       authentication/start/failure     Authentication failure   300201/2 sign-in
emailMFA idToken                       session/info/success             -                        300206/1
emailMFA invalidCode                   authentication/start/failure     Authentication failure   300201/2 sign-in
emailMFA login                         session/info/unknown             -                        300206/0
emailMFA logout                        session/end/success              -                        300202/1
emailMFA manage                        session/info/success             -                        300206/1
emailMFA noEmail                       session/info/failure             -                        300206/2
emailMFA queued                        session/info/unknown             -                        300206/0
emailMFA request                       authentication/info/unknown      -                        300206/0
emailMFA samlValidate                  session/info/unknown             -                        300206/0
emailMFA send                          session/info/unknown             -                        300206/0
emailMFA sent                          session/info/success             -                        300206/1
emailMFA serviceValidate               session/info/unknown             -                        300206/0
emailMFA success                       session/info/success             -                        300206/1
emailMFA token                         session/info/unknown             -                        300206/0
emailMFA userinfo                      session/info/unknown             -                        300206/0
emailMFA validate                      session/info/unknown             -                        300206/0

MFA authenticationSuccess              session/info/success             -                        300206/1
MFA authorize                          session/info/unknown             -                        300206/0
MFA error                              session/info/failure             -                        300206/2
MFA expiredCode                        authentication/start/failure     Authentication failure   300201/2 sign-in
MFA failure                            authentication/start/failure     Authentication failure   300201/2 sign-in
MFA idToken                            session/info/success             -                        300206/1
MFA invalidCode                        authentication/start/failure     Authentication failure   300201/2 sign-in
MFA login                              session/info/unknown             -                        300206/0
MFA logout                             session/end/success              -                        300202/1
MFA manage                             session/info/success             -                        300206/1
MFA noEmail                            session/info/failure             -                        300206/2
MFA queued                             session/info/unknown             -                        300206/0
MFA request                            authentication/info/unknown      -                        300206/0
MFA samlValidate                       session/info/unknown             -                        300206/0
MFA send                               session/info/unknown             -                        300206/0
MFA sent                               session/info/success             -                        300206/1
MFA serviceValidate                    session/info/unknown             -                        300206/0
MFA success                            session/info/success             -                        300206/1
MFA token                              session/info/unknown             -                        300206/0
MFA userinfo                           session/info/unknown             -                        300206/0
MFA validate                           session/info/unknown             -                        300206/0

oidc authenticationSuccess             web/access/success               -                        600302/1
oidc authorize                         authentication/info/unknown      -                        300206/0
oidc error                             web/error/failure                -                        600302/2
oidc expiredCode                       web/error/failure                -                        600302/2
oidc failure                           web/error/failure                -                        600302/2
oidc idToken                           web/access/success               -                        600302/1
oidc invalidCode                       web/error/failure                -                        600302/2
oidc login                             authentication/info/unknown      -                        300206/0
oidc logout                            session/end/success              -                        300202/1
oidc manage                            web/access/success               -                        600302/1
oidc noEmail                           web/error/failure                -                        600302/2
oidc queued                            web/access/unknown               -                        600302/0
oidc request                           authentication/info/unknown      -                        300206/0
oidc samlValidate                      web/access/unknown               -                        600302/0
oidc send                              web/access/unknown               -                        600302/0
oidc sent                              web/access/success               -                        600302/1
oidc serviceValidate                   web/access/unknown               -                        600302/0
oidc success                           web/access/success               -                        600302/1
oidc token                             web/access/unknown               -                        600302/0
oidc userinfo                          web/access/unknown               -                        600302/0
oidc validate                          web/access/unknown               -                        600302/0

password authenticationSuccess         iam/user+info/success            -                        300199/1
password authorize                     iam/user+info/unknown            -                        300199/0
password error                         iam/user+change/failure          Change modified          300103/2
password expiredCode                   iam/user+change/failure          Change modified          300103/2
password failure                       iam/user+change/failure          Change modified          300103/2
password idToken                       iam/user+info/success            -                        300199/1
password invalidCode                   iam/user+change/failure          Change modified          300103/2
password login                         iam/user+info/unknown            -                        300199/0
password logout                        session/end/success              -                        300202/1
password manage                        iam/user+info/success            -                        300199/1
password noEmail                       iam/user+change/failure          Change modified          300103/2
password queued                        iam/user+info/unknown            -                        300199/0
password request                       iam/user+info/unknown            -                        300199/0
password samlValidate                  iam/user+info/unknown            -                        300199/0
password send                          iam/user+info/unknown            -                        300199/0
password sent                          iam/user+info/success            -                        300199/1
password serviceValidate               iam/user+info/unknown            -                        300199/0
password success                       iam/user+change/success          Change modified          300103/1
password token                         iam/user+info/unknown            -                        300199/0
password userinfo                      iam/user+info/unknown            -                        300199/0
password validate                      iam/user+info/unknown            -                        300199/0

sending authenticationSuccess          email/info/success               -                        400901/1
sending authorize                      email/info/unknown               -                        400901/0
sending error                          email/info/failure               Email failed             400901/2
sending expiredCode                    email/info/failure               -                        400901/2
sending failure                        email/info/failure               Email failed             400901/2
sending idToken                        email/info/success               -                        400901/1
sending invalidCode                    email/info/failure               -                        400901/2
sending login                          email/info/unknown               -                        400901/0
sending logout                         email/info/success               -                        400901/1
sending manage                         email/info/success               -                        400901/1
sending noEmail                        email/info/failure               Email failed             400901/2
sending queued                         email/info/unknown               -                        400901/0
sending request                        email/info/unknown               -                        400901/0
sending samlValidate                   email/info/unknown               -                        400901/0
sending send                           email/info/unknown               -                        400901/0
sending sent                           email/info/success               Email delivered          400901/1
sending serviceValidate                email/info/unknown               -                        400901/0
sending success                        email/info/success               Email delivered          400901/1
sending token                          email/info/unknown               -                        400901/0
sending userinfo                       email/info/unknown               -                        400901/0
sending validate                       email/info/unknown               -                        400901/0
`;
